"""Measures bootstraps: size of the zip file, time until the first poll, time of the first request, and memory.

    startup.py [--starts 30] BOOTSTRAP=EVENT …
    startup.py --all DIR [--json]       all functions that are built in DIR

Uses stand-ins for Lambda's runtime API and an empty table. This script adds about a millisecond to each time.
"""

import argparse
import http.server
import io
import json
import os
import pathlib
import queue
import statistics
import subprocess
import threading
import time
import zipfile

ANSWERS = {"Query": {"Items": [], "Count": 0}, "BatchGetItem": {"Responses": {}, "UnprocessedKeys": {}}}
SECRET = json.dumps({"key": "k" * 64})
TIMEOUT_SECONDS = 10


class StandIn(http.server.BaseHTTPRequestHandler):
    """The runtime API and AWS at one address."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        self.server.polled.put(time.perf_counter())
        event = self.server.events.get()
        if event is not None:
            self.answer(event, {"lambda-runtime-aws-request-id": "1", "lambda-runtime-deadline-ms": "9999999999999"})

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"] or 0))
        if "/runtime/" in self.path:
            self.server.answered.put((time.perf_counter(), body))
            return self.answer(b"{}", {})
        operation = self.headers["x-amz-target"].rpartition(".")[2]
        answer = {"SecretString": SECRET} if operation == "GetSecretValue" else ANSWERS.get(operation, {})
        return self.answer(json.dumps(answer).encode(), {"content-type": "application/x-amz-json-1.0"})

    def answer(self, body, headers):
        self.send_response(200)
        for name, value in headers.items() | {"content-length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """Ignores connections that a killed process closes."""


def start(bootstrap, event):
    """Runs a cold start and a request. Returns the milliseconds of both, and megabytes of memory."""
    server = Server(("127.0.0.1", 0), StandIn)
    server.polled, server.events, server.answered = queue.Queue(), queue.Queue(), queue.Queue()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    began = time.perf_counter()
    process = subprocess.Popen([bootstrap], env=environment(server.server_port), stdout=subprocess.DEVNULL)
    try:
        polled = server.polled.get(timeout=TIMEOUT_SECONDS) - began
        asked = time.perf_counter()
        server.events.put(event)
        answered, answer = server.answered.get(timeout=TIMEOUT_SECONDS)
        assert b"errorType" not in answer, answer
        return polled * 1000, (answered - asked) * 1000, resident(process.pid)
    finally:
        process.kill()
        process.wait()
        server.events.put(None)
        server.shutdown()
        server.server_close()


def environment(port):
    here = f"127.0.0.1:{port}"
    return {
        "AWS_LAMBDA_RUNTIME_API": here, "AWS_ENDPOINT_URL": f"http://{here}", "AWS_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_LAMBDA_FUNCTION_NAME": "measured",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "512", "AWS_LAMBDA_FUNCTION_VERSION": "1",
        "AWS_LAMBDA_LOG_GROUP_NAME": "-", "AWS_LAMBDA_LOG_STREAM_NAME": "-", "TABLE_NAME": "table",
        "JWT_SECRET": "arn:aws:secretsmanager:us-east-1:000000000000:secret:key",
        "LIKED_ADD_QUEUE_URL": f"http://{here}/queue",
    } | {name: value for name, value in os.environ.items() if name in ("RUST_LOG", "PATH")}


def resident(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    [line] = [line for line in status if line.startswith("VmRSS:")]
    return int(line.split()[1]) / 1024


def zip_megabytes(bootstrap):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(bootstrap, "bootstrap")
    return len(buffer.getvalue()) / 1e6


def measured(bootstrap, event, starts):
    polls, requests, memory = zip(*(start(bootstrap, event.read_bytes()) for _ in range(starts)))
    return {
        "function": bootstrap.name, "zip_mb": zip_megabytes(bootstrap),
        "poll_ms": statistics.median(polls), "poll_p90_ms": statistics.quantiles(polls, n=10)[-1],
        "request_ms": statistics.median(requests), "resident_mb": max(memory),
    }


def every(root, built):
    """Returns built bootstraps with their sample events, and the names of functions that are not built."""
    # Without a running API, the canary fails.
    functions = sorted(path.parent.name for path in root.glob("functions/*/Cargo.toml") if path.parent.name != "canary")
    is_built = {name: (built / name).is_file() for name in functions}
    pairs = [(built / name, root / "events" / f"{name}.json") for name in functions if is_built[name]]
    return pairs, [name for name in functions if not is_built[name]]


def show(rows, missing):
    print("| function | zip | start to first poll, median (p90) | first request | RSS |\n|---|---|---|---|---|")
    for row in rows:
        print(f"| {row['function']} | {row['zip_mb']:.1f} MB | {row['poll_ms']:.1f} ms ({row['poll_p90_ms']:.1f}) "
              f"| {row['request_ms']:.1f} ms | {row['resident_mb']:.0f} MB |")
    if missing:
        print(f"\nNot built: {', '.join(missing)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=30)
    parser.add_argument("--all", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("bootstraps", nargs="*", metavar="BOOTSTRAP=EVENT")
    options = parser.parse_args()
    pairs, missing = [tuple(map(pathlib.Path, pair.split("="))) for pair in options.bootstraps], []
    if options.all:
        pairs, missing = every(options.root, options.all)
    rows = [measured(bootstrap, event, max(options.starts, 2)) for bootstrap, event in pairs]
    if options.json:
        print(json.dumps({"started": rows, "missing": missing}))
    else:
        show(rows, missing)


if __name__ == "__main__":
    main()
