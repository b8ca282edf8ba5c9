"""Signatures and keys in the format of minisign, against what minisign 0.11 itself has written."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import pytest

from jimbo.deploy import minisign

PUBLIC = "RWS5t/uCcHuPorWvl/B23VmwbhyAkYloTZupYhFs7pX//ZLewHJdm3xg"
DATA = b"hello\n"
SIGNATURE = """\
untrusted comment: signature from minisign secret key
RUS5t/uCcHuPosjuCLK5PN6Xu5ytDD+kBhCA9XsJhHABvz7qDgHvVNnTSbvFC+QSFoVvvNOfQ1lvrO3TiLjSHcNEeR4c0WZDJAs=
trusted comment: timestamp:1795102481	file:data	hashed
x9x5qY//3WazdpSlB1xpauwaPt2PGrYwg3aS0AblPkum9s0VptsdsRh8F6GDjAKYnsJ3alEx1YDFkuw2F5UFBQ==
"""


def test_a_signature_of_minisign() -> None:
    pytest.importorskip("cryptography")
    key = minisign.read_public_key(PUBLIC)
    assert minisign.check(DATA, SIGNATURE, key) == "timestamp:1795102481\tfile:data\thashed"
    assert minisign.signer_of(SIGNATURE) == key.name
    for data, text in (
        (b"hello", SIGNATURE),
        (DATA, SIGNATURE.replace("file:data", "file:other")),
        (DATA, SIGNATURE.replace(SIGNATURE.splitlines()[3], base64.b64encode(bytes(64)).decode())),
    ):
        with pytest.raises(ValueError, match="it "):
            minisign.check(data, text, key)


@pytest.mark.parametrize(
    "text",
    ["", "minisign", SIGNATURE.replace("untrusted", "trusted"), "\n".join(SIGNATURE.splitlines()[:3]), SIGNATURE[:90]],
)
def test_what_is_not_a_signature(text: str) -> None:
    with pytest.raises(ValueError, match="it is not a signature of minisign"):
        minisign.signer_of(text)


def encrypted(path: Path, password: str, operations: int, memory: int) -> None:
    """A key whose password is stretched less than minisign does, which takes a gigabyte."""
    number, secret, salt = b"12345678", bytes(range(64)), bytes(32)
    check = hashlib.blake2b(b"Ed" + number + secret, digest_size=32).digest()
    plain = number + secret + check
    cost = 1 << 10
    mask = hashlib.scrypt(password.encode(), salt=salt, n=cost, r=8, p=1, maxmem=1 << 24, dklen=len(plain))
    limits = operations.to_bytes(8, "little") + memory.to_bytes(8, "little")
    sealed = b"EdScB2" + salt + limits + bytes(a ^ b for a, b in zip(plain, mask, strict=True))
    path.write_text(f"untrusted comment: key\n{base64.b64encode(sealed).decode()}\n")


def test_a_key_with_a_password(tmp_path: Path) -> None:
    path = tmp_path / "key"
    encrypted(path, "open", 32768, 1 << 26)
    assert minisign.is_encrypted(path)
    key = minisign.read_secret_key(path, "open")
    assert (key.id, key.seed) == (b"12345678", bytes(range(32)))
    assert "0" * 8 not in repr(key)
    with pytest.raises(ValueError, match="The password is not the one of"):
        minisign.read_secret_key(path, "shut")
    encrypted(path, "open", 32768, 1 << 40)
    with pytest.raises(ValueError, match="asks for more memory"):
        minisign.read_secret_key(path, "open")
