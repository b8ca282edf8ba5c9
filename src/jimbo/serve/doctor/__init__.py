"""Whether this machine has what Jimbo needs, and what to do where it has not."""

from jimbo.serve.doctor.checks import check_all
from jimbo.serve.doctor.finding import Finding

__all__ = ["Finding", "check_all"]
