"""A certificate of our own: browsers let a page use a camera only over TLS, or on this machine.

Nobody has signed it, so browsers warn before they open the page. OpenSSL's command makes it: Debian
and macOS have that, and it needs no package of Python's. Apple's browsers take no certificate that
is valid for longer than 825 days (https://support.apple.com/en-us/HT210176, quoted in
https://github.com/syncthing/syncthing/issues/6036), and look for names in subjectAltName only.
"""

import shutil
import ssl
import subprocess
import time
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from socket import gethostname

from appliance.errors import CameraError
from vision.files.ordinary import NotOrdinary, open_to_write, remove_file

PROGRAM = "openssl"
VALID_DAYS = 820
RENEWED_BEFORE_S = 30 * 86400
"""How long a certificate must still be valid to be used once more."""
MAX_AHEAD_S = 60.0
"""How long a certificate may still have to wait until it is valid: clocks are set by seconds. One
that was made while the clock was ahead, as of a computer whose battery is empty, waits for longer.
"""
TIMEOUT_S = 20.0
_CERTIFICATE = "certificate.pem"
_KEY = "key.pem"
_REQUEST = "request.cnf"
_REQUEST_TEXT = """\
[req]
distinguished_name = who
prompt = no
x509_extensions = server
[who]
CN = dicetray
[server]
subjectAltName = {names}
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature, keyEncipherment
extendedKeyUsage = serverAuth
"""


def own_certificate(
    folder: Path, hosts: tuple[str, ...] = (), now_s: float | None = None
) -> tuple[Path, Path]:
    """The files of a certificate and of its key in a folder of their own, made if need be.

    A phone that has been told to trust it once goes on with the same one, unless that is not valid:
    no longer, or not yet.

    Args:
        folder: private; it is made.
        hosts: names and addresses of this machine besides its host name and the loopback address.
        now_s: seconds since 1970; None for the machine's clock.

    Raises:
        CameraError: it cannot be made.
    """
    certificate, key = folder / _CERTIFICATE, folder / _KEY
    program = shutil.which(PROGRAM)
    if program is None:
        raise CameraError(
            "openssl is not installed; it makes the certificate that a phone's browser asks for",
            "install openssl, or name the address of a camera app: --camera http://PHONE:8080/video",
        )
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    now_s = time.time() if now_s is None else now_s
    begins_s, ends_s = _validity_s(program, certificate)
    if key.exists() and begins_s <= now_s + MAX_AHEAD_S and now_s + RENEWED_BEFORE_S <= ends_s:
        return certificate, key
    name = gethostname()
    known = dict.fromkeys((name, f"{name}.local", "localhost", "127.0.0.1", *hosts))
    request = folder / _REQUEST
    try:
        with open_to_write(request, mode=0o600) as file:
            names = ", ".join(f"{_kind(host)}:{host}" for host in known)
            file.write(_REQUEST_TEXT.format(names=names).encode())
    except (OSError, NotOrdinary) as error:
        raise CameraError(f"the folder for a certificate cannot be made: {error}") from error
    made = _answer(
        *(program, "req", "-x509", "-newkey", "rsa:2048", "-sha256", "-nodes"),
        *("-days", VALID_DAYS, "-config", request, "-keyout", key, "-out", certificate),
    )
    if made is None:
        raise CameraError("openssl could not make a certificate")
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key)
    except (OSError, ssl.SSLError) as error:
        # openssl ends with status 0 where the disk is full.
        for half in (certificate, key):
            with suppress(OSError, NotOrdinary):
                remove_file(half)
        raise CameraError(
            f"openssl wrote no certificate: {error}", f"is the disk full that holds {folder}?"
        ) from error
    key.chmod(0o600)
    return certificate, key


def _kind(host: str) -> str:
    """How subjectAltName calls it."""
    with suppress(ValueError):
        ip_address(host)
        return "IP"
    return "DNS"


def _validity_s(program: str, certificate: Path) -> tuple[float, float]:
    """When a certificate begins and ceases to be valid, seconds since 1970; of none, never."""
    dates = {}
    told = _answer(program, "x509", "-in", certificate, "-noout", "-dates") or ""
    for line in told.splitlines():
        name, _, date = line.partition("=")
        with suppress(ValueError):
            dates[name] = float(ssl.cert_time_to_seconds(date))
    return dates.get("notBefore", 0.0), dates.get("notAfter", 0.0)


def _answer(*words: object) -> str | None:
    """Runs a command; what it prints, or None if it does not go well."""
    with suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run(
            [str(word) for word in words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
        return None if done.returncode else done.stdout.decode("ascii", "replace")
    return None
