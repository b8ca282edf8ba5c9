"""What ``jimbo --version`` prints: enough to know whether two installations play and store the same."""

from jimbo import __version__
from jimbo.engine import batch_schema_hash, schema_hash, signature


def version_text() -> str:
    """The first line is the version alone. The signature is that of ``jimbo bench``; it takes some 50 ms."""
    hashes = {
        "signature of the rules": signature(),
        "schema of states": schema_hash(),
        "schema of observations": batch_schema_hash(),
    }
    return "\n".join([f"jimbo {__version__}", *(f"{name + ':':<24}{value}" for name, value in hashes.items())])
