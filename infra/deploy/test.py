"""Deploys the stack to an emulator of its own, rights enforced, and holds it to tests/deployed.txt.

    test.py --bootstraps target/debug [--only NAME …] [--template FILE]

The functions are real bootstraps; queues call them, schedules tick. At last one right is withdrawn
from one function, and a promise must break: else the emulator enforces nothing, and proves nothing.
"""

import argparse
import contextlib
import http.server
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

import boto3

import deploy

HERE = pathlib.Path(__file__).parent
PROMISES = HERE.parent.parent / "tests" / "deployed.txt"
CARGO_TEST = ["cargo", "test", "--quiet", "--locked", "--workspace", "--test", "spec", "--", "--exact", "--test-threads=1"]
# A right that is withdrawn, and the promise that breaks without it.
WITHDRAWN = ("PostsRole", "sqs:SendMessage", "likes::the_own_like_is_counted_at_once_everywhere")
START_SECONDS = 60


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    options = arguments()
    promises = options.only or [line for line in PROMISES.read_text().split("\n") if line and line[0] != "#"]
    if stale(promises):
        return True
    with tempfile.TemporaryDirectory() as home, push_provider() as pusher, emulator(home) as endpoint:
        deploy.use(endpoint)
        limits = {"AuthLimitPer5Min": "1000000", "WriteLimitPer5Min": "1000000"}
        stack = deploy.deploy(options.template, options.bootstraps, parameters={"PusherHost": pusher, **limits})
        environment = os.environ | {"DEPLOYED_URL": stack["Url"], "TABLE_NAME": stack["TableName"]}
        failed = not kept(promises, environment)
        if failed:
            print(pathlib.Path(home, "log").read_text()[-options.log :] if options.log else "", file=sys.stderr)
        if failed or options.only:
            return failed
        return enforces_nothing(environment)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--template", type=pathlib.Path, default="template.yaml")
    parser.add_argument("--bootstraps", type=pathlib.Path, required=True)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these tests instead of those of the list")
    parser.add_argument("--log", type=int, default=20_000, help="so much of the emulator's log after a failure")
    return parser.parse_args()


def stale(promises):
    """A name that no test has would be a promise that is never held."""
    listed = subprocess.run([*CARGO_TEST, "--list"], check=True, capture_output=True, text=True).stdout
    there = {line.removesuffix(": test") for line in listed.splitlines()}
    missing = [name for name in promises if name not in there]
    for name in missing:
        print(f"{PROMISES}: no test is called {name}", file=sys.stderr)
    return bool(missing)


def kept(promises, environment, **output):
    return subprocess.run([*CARGO_TEST, *promises], env=environment, check=False, **output).returncode == 0


def enforces_nothing(environment):
    role, right, promise = WITHDRAWN
    withdraw(role, right)
    if kept([promise], environment, stdout=subprocess.DEVNULL):
        print(f"{promise} is kept without {right}: rights are not enforced", file=sys.stderr)
        return True
    print(f"without {right}, {promise} breaks, as it must")
    return False


def withdraw(role, right):
    resources = boto3.client("cloudformation").describe_stack_resources(StackName=deploy.STACK)["StackResources"]
    [name] = [it["PhysicalResourceId"] for it in resources if it["LogicalResourceId"] == role]
    iam = boto3.client("iam")
    for policy in iam.list_role_policies(RoleName=name)["PolicyNames"]:
        document = iam.get_role_policy(RoleName=name, PolicyName=policy)["PolicyDocument"]
        for statement in document["Statement"]:
            actions = statement["Action"] if isinstance(statement["Action"], list) else [statement["Action"]]
            statement["Action"] = [it for it in actions if it != right] or ["none:None"]
        iam.put_role_policy(RoleName=name, PolicyName=policy, PolicyDocument=json.dumps(document))


@contextlib.contextmanager
def emulator(home):
    """Its functions inherit its environment, so that is a clean one."""
    port = free_port()
    endpoint = f"http://127.0.0.1:{port}"
    environment = {
        "PATH": os.environ["PATH"], "HOME": home, "TMPDIR": home, "AUTH": "true", "BIND_HOST": "127.0.0.1",
        "GATEWAY_PORT": str(port), "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test",
    }
    with open(pathlib.Path(home, "log"), "wb") as log:
        process = subprocess.Popen([sys.executable, HERE / "emulator.py"], env=environment, stdout=log, stderr=log)
        try:
            wait_for(f"{endpoint}/_ministack/health", process)
            yield endpoint
        finally:
            process.terminate()
            process.wait()


def wait_for(url, process):
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            return urllib.request.urlopen(url, timeout=1).close()
        except OSError as error:
            if process.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"the emulator did not start: {error}")
            time.sleep(0.1)


@contextlib.contextmanager
def push_provider():
    """Takes every push: what is pushed is held by tests that have a provider to ask."""

    class Takes(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(200)
            self.send_header("content-length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Takes)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def free_port():
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        return it.getsockname()[1]


if __name__ == "__main__":
    sys.exit(main())
