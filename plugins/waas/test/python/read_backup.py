"""Reads Keybay backup envelopes, written from BACKUP.md alone, with Debian's python3-cryptography and python3-argon2.

Standard input: one JSON object a line, {"backup": hex, "password": text}, or {"backup": hex, "output": hex} with what the
passkey answered. Standard output: one JSON object a line, either
{"header": …, "shares": {"B1": hex}, "sealedSeed": hex or null} or {"error": what is wrong}.
"""

import json
import re
import sys
import unicodedata

from argon2.low_level import Type, hash_secret_raw
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

MAGIC = b"KEYBAY01"
LARGEST = 16 * 1024
PARTIES = ["C", "B1", "B2", "R1", "R2"]
FIELDS = ["version", "walletId", "address", "ceremonyId", "setId", "epoch", "curve", "threshold", "holders", "shares",
          "commitments", "kdf", "cipher"]

# Curve edwards25519 (RFC 8032, section 5.1), in affine coordinates: slow, short, and only for public checks.
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


class Refused(Exception):
    pass


def add(a, b):
    (x1, y1), (x2, y2) = a, b
    t = D * x1 * x2 * y1 * y2 % P
    return ((x1 * y2 + x2 * y1) * pow(1 + t, P - 2, P) % P, (y1 * y2 + x1 * x2) * pow(1 - t, P - 2, P) % P)


def multiply(scalar, point):
    result = (0, 1)
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def decode_point(text):
    data = int.from_bytes(bytes.fromhex(text), "little")
    y, sign = data & (2**255 - 1), data >> 255
    if y >= P:
        raise Refused("a commitment is no point")
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if v * x * x % P == -u % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if v * x * x % P != u:
        raise Refused("a commitment is no point")
    return (P - x if x & 1 != sign else x, y)


BASE = decode_point("58" + "66" * 31)


def read_header(text):
    def once(pairs):
        if len({name for name, _ in pairs}) != len(pairs):
            raise Refused("a field is there twice")
        return dict(pairs)

    try:
        header = json.loads(text.decode("utf-8"), object_pairs_hook=once)
    except ValueError as error:
        raise Refused("the header is no JSON") from error
    if not isinstance(header, dict) or list(header) != FIELDS or header["version"] not in (1, 2):
        raise Refused("the header has other fields")
    # One header has one text.
    if json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode("utf-8") != text:
        raise Refused("the header is written another way")
    kdf = header["kdf"]
    if header["cipher"].get("name") != "AES-256-GCM":
        raise Refused("other algorithms")
    if header["version"] == 2:
        check_passkey(kdf)
        return header
    limits = {"memoryKiB": (65536, 262144), "iterations": (3, 10), "parallelism": (1, 4)}
    if kdf.get("name") != "argon2id":
        raise Refused("other algorithms")
    for name, (floor, ceiling) in limits.items():
        if not isinstance(kdf.get(name), int) or not floor <= kdf[name] <= ceiling:
            raise Refused("parameters of argon2id are out of bounds")
    return header


def check_passkey(kdf):
    shape = {"name": "webauthn-prf", "rpId": "[a-z0-9.-]{1,253}", "credentialId": "[A-Za-z0-9_-]{1,1364}", "input": "[0-9a-f]{64}",
             "salt": "[0-9a-f]{32}"}
    if list(kdf) != list(shape):
        raise Refused("other algorithms")
    for name, pattern in shape.items():
        if not isinstance(kdf[name], str) or not re.fullmatch(pattern, kdf[name]):
            raise Refused("other algorithms")


def key_of(header, password, output):
    kdf = header["kdf"]
    if header["version"] == 2:
        if output is None:
            raise Refused("it opens with a passkey")
        info = b"keybay/backup/prf/1/" + header["walletId"].encode("utf-8")
        return HKDF(SHA256(), 32, bytes.fromhex(kdf["salt"]), info).derive(bytes.fromhex(output))
    return hash_secret_raw(
        unicodedata.normalize("NFKC", password or "").encode("utf-8"),
        bytes.fromhex(kdf["salt"]),
        time_cost=kdf["iterations"],
        memory_cost=kdf["memoryKiB"],
        parallelism=kdf["parallelism"],
        hash_len=32,
        type=Type.ID,
        version=0x13,
    )


def open_backup(backup, password, output):
    if len(backup) > LARGEST or backup[:8] != MAGIC:
        raise Refused("no Keybay backup")
    length = int.from_bytes(backup[8:12], "big")
    start, sealed = backup[: 12 + length], backup[12 + length :]
    if len(start) != 12 + length:
        raise Refused("it is cut off")
    header = read_header(start[12:])
    key = key_of(header, password, output)
    try:
        inside = AESGCM(key).decrypt(bytes.fromhex(header["cipher"]["nonce"]), sealed, start)
    except InvalidTag as error:
        raise Refused("wrong password, or a changed byte") from error
    return header, *read_inside(header, inside)


def read_inside(header, inside):
    parties, is_ed25519 = header["shares"], header["curve"] == "ed25519"
    if inside[:3] != bytes([1, 50 if is_ed25519 else 51, len(parties)]):
        raise Refused("the inside is another kind")
    at, shares = 3, {}
    for party in parties:
        secret = inside[at : at + 32]
        if is_ed25519:
            check_share(header, party, int.from_bytes(secret, "little"))
        shares[party] = secret.hex()
        at += 32
    has_seed = inside[at]
    rest = inside[at + 1 :]
    if has_seed not in (0, 1) or len(rest) != 60 * has_seed:
        raise Refused("the inside has another length")
    return shares, rest.hex() if has_seed else None


def check_share(header, party, secret):
    if not 0 < secret < L:
        raise Refused("a share is not canonical")
    x = PARTIES.index(party) + 1
    wanted, power = (0, 1), 1
    for commitment in header["commitments"]:
        wanted = add(wanted, multiply(power, decode_point(commitment)))
        power = power * x % L
    if multiply(secret, BASE) != wanted:
        raise Refused("a share is not the one that its commitments say")


for line in sys.stdin:
    request = json.loads(line)
    try:
        header, shares, seed = open_backup(
            bytes.fromhex(request["backup"]), request.get("password"), request.get("output"))
        answer = {"header": header, "shares": shares, "sealedSeed": seed}
    except Refused as error:
        answer = {"error": str(error)}
    print(json.dumps(answer), flush=True)
