"""Deploys the stack to its own emulator with enforced rights, and runs the tests of tests/deployed.txt.

    test.py --bootstraps target/debug [--only NAME …] [--template FILE]

The functions are real bootstraps. Queues call them, and the schedule of notifications ticks. Four emulators run in parallel
with a quarter of the tests each, because many tests wait for a tick. Finally part 0 removes one right from one function,
and checks that a test fails until the right is restored. This proves that the emulator enforces rights. Part 1 restores
the table from a backup, as an operator would.
"""

import argparse
import contextlib
import copy
import http.server
import json
import os
import pathlib
import random
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
import rehearsals

HERE = pathlib.Path(__file__).parent
LISTED = HERE.parent.parent / "tests" / "deployed.txt"
CARGO_TEST = ["cargo", "test", "--quiet", "--locked", "--workspace", "--test", "spec", "--", "--exact", "--test-threads=1"]
# A right to remove, and a test that fails without it.
REMOVED = ("PostsRights", "dynamodb:UpdateItem", "likes::the_viewers_like_counts_at_once")
TICK = "NotificationTick"
PARTS = 4
START_SECONDS = 300
# Below the ephemeral ports of the system, so that no connection takes the port first.
PORTS = range(20_000, 32_000)


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    options = arguments()
    tests = options.only or [line for line in LISTED.read_text().split("\n") if line and line[0] != "#"]
    if options.part is None and not options.only:
        return has_missing(tests) or in_parts()
    if options.only and has_missing(tests):
        return True
    tests = tests[options.part :: PARTS] if options.part is not None else tests
    with tempfile.TemporaryDirectory() as home, push_provider() as pusher, emulator(home) as endpoint:
        deploy.use(endpoint)

        def deployed(parameters):
            limits = [
                "AuthLimitPer5Min", "AuthAddressLimitPer5Min", "WriteLimitPer5Min", "ReadLimitPer5Min",
                "RegisterLimitPerHour", "PostLimitPer5Min", "PostLimitPerDay",
            ]
            given = {"PusherHost": pusher} | dict.fromkeys(limits, "1000000")
            return deploy.deploy(options.template, options.bootstraps, given | parameters)

        stack = deployed({})
        disable_schedules()
        failed = not passes(tests, stack)
        if failed:
            print(pathlib.Path(home, "log").read_text()[-options.log :] if options.log else "", file=sys.stderr)
        if failed or options.only:
            return failed
        if options.part == 0:
            return rights_unenforced(stack)
        return options.part == 1 and not rehearsals.restores(deploy.STACK, stack, deployed, passes_one)


def in_parts():
    """Runs each part in its own process, and prints its output at the end. Returns true if a part failed."""
    print(f"running the tests in {PARTS} parts, each on its own emulator", flush=True)
    with contextlib.ExitStack() as parts:
        processes = [parts.enter_context(part_of(part)) for part in range(PARTS)]
        return any([process.wait() != 0 for process in processes])


@contextlib.contextmanager
def part_of(part):
    with tempfile.TemporaryFile("w+") as log:
        command = [sys.executable, "-u", *sys.argv, "--part", str(part)]
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        try:
            yield process
        finally:
            process.terminate()
            process.wait()
            log.seek(0)
            print(log.read(), flush=True)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--template", type=pathlib.Path, default="template.yaml")
    parser.add_argument("--bootstraps", type=pathlib.Path, required=True)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="run these tests instead of the listed tests")
    parser.add_argument("--part", type=int, choices=range(PARTS), help="run only this part of the tests")
    parser.add_argument("--log", type=int, default=20_000, help="bytes of the emulator's log to print after a failure")
    return parser.parse_args()


def has_missing(tests):
    """Returns whether a listed test does not exist."""
    listed = subprocess.run([*CARGO_TEST, "--list"], check=True, capture_output=True, text=True).stdout
    there = {line.removesuffix(": test") for line in listed.splitlines()}
    missing = [name for name in tests if name not in there]
    for name in missing:
        print(f"{LISTED}: no test is called {name}", file=sys.stderr)
    return bool(missing)


def passes_one(test, stack):
    return passes([test], stack)


def passes(tests, stack, **output):
    environment = os.environ | {"DEPLOYED_URL": stack["Url"], "TABLE_NAME": stack["TableName"]}
    return subprocess.run([*CARGO_TEST, *tests], env=environment, check=False, **output).returncode == 0


def disable_schedules():
    """Disables schedules except ticks. The hourly drain would change circles during a test."""
    scheduler = boto3.client("scheduler")
    for listed in [listed for listed in scheduler.list_schedules()["Schedules"] if TICK not in listed["Name"]]:
        schedule = scheduler.get_schedule(Name=listed["Name"], GroupName=listed["GroupName"])
        kept = {key: schedule[key] for key in ("Name", "GroupName", "ScheduleExpression", "FlexibleTimeWindow", "Target")}
        scheduler.update_schedule(State="DISABLED", **kept)


def rights_unenforced(stack):
    policy, right, test = REMOVED
    with removed(policy, right):
        if passes([test], stack, stdout=subprocess.DEVNULL):
            print(f"{test} passes without {right}, so rights are not enforced", file=sys.stderr)
            return True
    if not passes([test], stack):
        print(f"{test} fails with {right} too, so it does not test rights", file=sys.stderr)
        return True
    print(f"without {right}, {test} fails as expected")
    return False


@contextlib.contextmanager
def removed(policy, right):
    resources = boto3.client("cloudformation").describe_stack_resources(StackName=deploy.STACK)["StackResources"]
    [arn] = [resource["PhysicalResourceId"] for resource in resources if resource["LogicalResourceId"] == policy]
    iam = boto3.client("iam")
    version = iam.get_policy(PolicyArn=arn)["Policy"]["DefaultVersionId"]
    document = iam.get_policy_version(PolicyArn=arn, VersionId=version)["PolicyVersion"]["Document"]
    grant(iam, arn, without(document, right))
    yield
    grant(iam, arn, document)


def grant(iam, policy, document):
    iam.create_policy_version(PolicyArn=policy, PolicyDocument=json.dumps(document), SetAsDefault=True)


def without(document, right):
    document = copy.deepcopy(document)
    for statement in document["Statement"]:
        actions = statement["Action"] if isinstance(statement["Action"], list) else [statement["Action"]]
        statement["Action"] = [action for action in actions if action != right] or ["none:None"]
    return document


@contextlib.contextmanager
def emulator(home):
    """Runs the emulator with few environment variables, because functions inherit them. Stops all its processes at the end."""
    port = free_port()
    endpoint = f"http://127.0.0.1:{port}"
    environment = {
        "PATH": os.environ["PATH"], "HOME": home, "TMPDIR": home, "AUTH": "true", "BIND_HOST": "127.0.0.1",
        "GATEWAY_PORT": str(port), "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test",
        # The default of AWS. Otherwise the emulator limits calls by available memory.
        "LAMBDA_ACCOUNT_CONCURRENCY": "1000",
    }
    with open(pathlib.Path(home, "log"), "wb") as log:
        command = [sys.executable, HERE / "emulator.py"]
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)
        try:
            wait_for(f"{endpoint}/_ministack/health", process)
            yield endpoint
        finally:
            # A process that did not start has no group.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
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
    """Runs a push provider that accepts all pushes. Tests that check pushes use their own provider."""

    class Provider(http.server.ThreadingHTTPServer):
        # Number of waiting connections. A refused connection is retried only after a second.
        request_queue_size = 128

    class Takes(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(200)
            self.send_header("content-length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_):
            pass

    server = Provider(("127.0.0.1", 0), Takes)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def free_port():
    for port in random.sample(PORTS, len(PORTS)):
        with contextlib.suppress(OSError), socket.socket() as it:
            it.bind(("127.0.0.1", port))
            return port
    sys.exit("no port is free")


if __name__ == "__main__":
    sys.exit(main())
