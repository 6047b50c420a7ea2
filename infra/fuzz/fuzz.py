"""Fuzzes the API: every operation, also in sequences, as a user and as an administrator.

    fuzz.py --binaries target/debug [--examples 50] [--seed 1] [--keep]

Starts the local stack with users, posts, groups and circles. Fails if a response is a 500 or does not match the document,
and prints the request as a curl command. The same seed sends the same requests.
"""

import argparse
import contextlib
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

import requests

HERE = pathlib.Path(__file__).resolve().parent
# Differs from the password in the examples of the API reference. A request with the right current password would change it.
PASSWORD = "the battery of a fuzzer"
ROLES = {"a user": "user@example.com", "an administrator": "operator@example.com"}
SEEDED = ["--people", "20", "--posts", "60", "--ties", "60"]
# Limits that are raised, so that no request is refused.
LIMITS = [
    "AUTH_LIMIT_PER_5_MIN", "AUTH_ADDRESS_LIMIT_PER_5_MIN", "WRITE_LIMIT_PER_5_MIN", "READ_LIMIT_PER_5_MIN",
    "POST_LIMIT_PER_5_MIN", "POST_LIMIT_PER_DAY", "HIDE_LIMIT_PER_HOUR", "HIDE_LIMIT_PER_DAY",
]
UNLIMITED = dict.fromkeys(LIMITS, "1000000")
START_SECONDS = 60


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    options = arguments()
    with stack(options.binaries) as url:
        tools = [options.binaries / "tools", "--port", url.rsplit(":", 1)[1]]
        subprocess.run([*tools, "seed", *SEEDED], check=True, stderr=subprocess.DEVNULL)
        for email in ROLES.values():
            registers(url, email)
        subprocess.run([*tools, "admin", ROLES["an administrator"]], check=True)
        failed = [role for role, email in ROLES.items() if not holds(url, role, email, options)]
        if failed and options.keep:
            input(f"The network runs at {url}. Press Enter to stop it. ")
    return failed


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binaries", type=lambda it: pathlib.Path(it).resolve(), required=True)
    parser.add_argument("--examples", type=int, default=50, help="requests of each kind per operation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="keep the network after a failure")
    return parser.parse_args()


@contextlib.contextmanager
def stack(binaries):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    url = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen([binaries / "local", "--port", port], env=os.environ | UNLIMITED, stdout=log, stderr=log)
        try:
            wait(lambda: requests.get(f"{url}/_local/clock", timeout=5).ok)
            yield url
        finally:
            process.terminate()
            process.wait()


def wait(ready):
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        with contextlib.suppress(requests.RequestException):
            if found := ready():
                return found
        time.sleep(0.2)
    sys.exit("the local stack does not answer")


def registers(url, email):
    """Registers an account and confirms its address."""
    name = email.split("@")[0]
    account = {"name": name, "username": name, "email": email, "password": PASSWORD}
    requests.post(f"{url}/auth/register", json=account, timeout=30).raise_for_status()
    token = wait(lambda: mailed(url, email))
    requests.post(f"{url}/auth/verify-email", json={"token": token}, timeout=30).raise_for_status()


def mailed(url, email):
    """Returns the token of the confirmation mail, or `None` before it arrives."""
    mails = requests.get(f"{url}/_local/mail", timeout=5).json()["data"]
    texts = [mail["text"] for mail in mails if mail["to"] == email]
    return next((found[1] for text in texts if (found := re.search(r"token=([\w-]+)", text))), None)


def holds(url, role, email, options):
    print(f"As {role}:", flush=True)
    run = ["run", f"{url}/openapi.json", "--url", url, "--seed", str(options.seed), "--max-examples", str(options.examples)]
    command = [pathlib.Path(sys.executable).with_name("schemathesis"), "--config-file", HERE / "schemathesis.toml", *run]
    person = {"FUZZ_URL": url, "FUZZ_EMAIL": email, "FUZZ_PASSWORD": PASSWORD, "PYTHONPATH": str(HERE)}
    # schemathesis stores data of a run in its working directory.
    with tempfile.TemporaryDirectory() as scratch:
        return subprocess.run(command, env=os.environ | person, cwd=scratch).returncode == 0


if __name__ == "__main__":
    sys.exit(bool(main()))
