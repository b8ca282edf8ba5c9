"""Signatures in the format of minisign: short text files with Ed25519 over the BLAKE2b hash of what is signed.

Ed25519 comes from the package ``cryptography`` (extra ``sign``), BLAKE2b and scrypt from Python itself.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jimbo.extras import require
from jimbo.files import named_file, read_text, reason

_UNTRUSTED, _TRUSTED = "untrusted comment: ", "trusted comment: "
_KEY, _PREHASHED = b"Ed", b"ED"
_PLAIN, _SCRYPT, _BLAKE2B = b"\0\0", b"Sc", b"B2"
_ID, _PUBLIC, _SECRET, _SIGNATURE, _SALT, _CHECK = 8, 32, 64, 64, 32, 32
_MAX_FILE = 4096
_MOST_MEMORY = 1 << 31
"""Bytes that a key file may ask for; minisign's own ask for half of it."""
_BLOCK = 8


@dataclass(frozen=True, slots=True)
class PublicKey:
    """Whom a signature is expected from."""

    id: bytes
    key: bytes

    @property
    def name(self) -> str:
        """As minisign shows it."""
        return key_name(self.id)


@dataclass(frozen=True, slots=True)
class SecretKey:
    id: bytes
    seed: bytes

    def __repr__(self) -> str:
        return f"<SecretKey {key_name(self.id)}>"


def key_name(key_id: bytes) -> str:
    return key_id[::-1].hex().upper()


def read_public_key(text: str) -> PublicKey:
    """The key in a .pub file, or as minisign prints it; ValueError with a sentence for anything else."""
    path = named_file(text)
    line = _lines(path)[-1] if path else text
    data = _decoded(line, len(_KEY) + _ID + _PUBLIC)
    if data is None or data[:2] != _KEY:
        raise ValueError(f"{text} is not a public key of minisign. Name a .pub file, or give the key that it holds.")
    return PublicKey(data[2:10], data[10:])


def is_encrypted(path: Path) -> bool:
    """Whether a secret key needs a password."""
    return _secret_parts(path)[0] == _SCRYPT


def read_secret_key(path: Path, password: str = "") -> SecretKey:
    """The key of ``minisign -G``; ValueError with a sentence for another file, or another password."""
    kind, salt, operations, memory, sealed = _secret_parts(path)
    if kind == _SCRYPT:
        mask = _stretched(path, password, salt, operations, memory, len(sealed))
        sealed = bytes(one ^ other for one, other in zip(sealed, mask, strict=True))
    key_id, secret, check = sealed[:_ID], sealed[_ID : _ID + _SECRET], sealed[_ID + _SECRET :]
    if kind == _SCRYPT and check != hashlib.blake2b(_KEY + key_id + secret, digest_size=_CHECK).digest():
        raise ValueError(f"The password is not the one of {path}.")
    return SecretKey(key_id, secret[:_PUBLIC])


def _secret_parts(path: Path) -> tuple[bytes, bytes, int, int, bytes]:
    """How a key is sealed: by what, with which salt and limits; and the sealed part."""
    data = _decoded(_lines(path)[-1], 6 + _SALT + 16 + _ID + _SECRET + _CHECK)
    if data is None or data[:2] != _KEY or data[2:4] not in (_PLAIN, _SCRYPT) or data[4:6] != _BLAKE2B:
        raise ValueError(f"{path} is not a secret key of minisign. Make one with minisign -G.")
    limits = 6 + _SALT
    operations, memory = (int.from_bytes(data[at : at + 8], "little") for at in (limits, limits + 8))
    return data[2:4], data[6:limits], operations, memory, data[limits + 16 :]


def _stretched(path: Path, password: str, salt: bytes, operations: int, memory: int, length: int) -> bytes:
    """scrypt with the parameters that libsodium derives from its two limits."""
    if memory > _MOST_MEMORY:
        raise ValueError(f"{path} asks for more memory than a key needs. Make another with minisign -G.")
    operations = max(operations, 32768)
    if operations < memory // 32:
        most, parallel = operations // (_BLOCK * 4), 1
        cost = _power_below(most)
    else:
        cost = _power_below(memory // (_BLOCK * 128))
        parallel = max(1, min(operations // 4 // cost, 0x3FFFFFFF) // _BLOCK)
    needed = 128 * _BLOCK * (cost + parallel + 2)
    return hashlib.scrypt(
        password.encode(), salt=salt, n=cost, r=_BLOCK, p=parallel, maxmem=needed + 4096, dklen=length
    )


def _power_below(most: int) -> int:
    """The power of two that libsodium takes: the first above half of the most."""
    power = 2
    while power <= most // 2:
        power *= 2
    return power


# --- Signatures -------------------------------------------------------------------------------------------------------


def sign(data: bytes, key: SecretKey, comment: str) -> str:
    """The text of a signature file. The same data, key and comment give the same text."""
    signer = _ed25519().Ed25519PrivateKey.from_private_bytes(key.seed)
    signature = signer.sign(hashlib.blake2b(data).digest())
    whole = signer.sign(signature + comment.encode())
    lines = (
        f"{_UNTRUSTED}signature of a package of Jimbo, made with the key {key_name(key.id)}",
        _encoded(_PREHASHED + key.id + signature),
        f"{_TRUSTED}{comment}",
        _encoded(whole),
    )
    return "".join(f"{line}\n" for line in lines)


def signer_of(text: str) -> str:
    """The name of the key that a signature claims; ValueError in a few words for what is not a signature."""
    return key_name(_parts(text)[0])


def check(data: bytes, text: str, key: PublicKey) -> str:
    """The trusted comment of a signature that holds; ValueError in a few words, to follow the name of the file."""
    key_id, signature, comment, whole = _parts(text)
    if key_id != key.id:
        raise ValueError(f"it is by the key {key_name(key_id)}, not by {key.name}")
    verifier = _ed25519().Ed25519PublicKey.from_public_bytes(key.key)
    try:
        verifier.verify(signature, hashlib.blake2b(data).digest())
        verifier.verify(whole, signature + comment.encode())
    except require("cryptography.exceptions", "sign").InvalidSignature:
        raise ValueError("it does not fit what is signed") from None
    return comment


def _parts(text: str) -> tuple[bytes, bytes, str, bytes]:
    lines = text.splitlines()
    if len(lines) == 4 and lines[0].startswith(_UNTRUSTED) and lines[2].startswith(_TRUSTED):
        first, whole = _decoded(lines[1], 2 + _ID + _SIGNATURE), _decoded(lines[3], _SIGNATURE)
        if first and whole and first[:2] == _PREHASHED:
            return first[2:10], first[10:], lines[2].removeprefix(_TRUSTED), whole
    raise ValueError("it is not a signature of minisign")


def _ed25519() -> Any:
    return require("cryptography.hazmat.primitives.asymmetric.ed25519", "sign")


def _lines(path: Path) -> list[str]:
    try:
        return read_text(path, _MAX_FILE).strip().splitlines() or [""]
    except (OSError, UnicodeError) as error:
        raise ValueError(f"{path} cannot be read: {reason(error)}.") from None


def _decoded(line: str, length: int) -> bytes | None:
    try:
        data = base64.b64decode(line, validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if len(data) == length else None


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
