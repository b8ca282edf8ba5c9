"""Whether this machine has what Jimbo needs, and how to fix what is missing."""

from jimbo.serve.doctor.checks import check_all
from jimbo.serve.doctor.finding import Finding

__all__ = ["Finding", "check_all"]
