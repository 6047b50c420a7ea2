"""Measures builds and tests of this checkout, and prints the tables of infra/README.md.

    build_times.py [--runs 3] [--no-tests]

Builds into target/build-times, so that a cold build removes nothing else. A warm build follows one changed line, which is
changed back at the end. Needs the crates downloaded and an idle machine.
"""

import argparse
import collections
import contextlib
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TARGET = ROOT / "target" / "build-times"
SERVICE = ["cargo", "build", "--locked", "--workspace", "--bin", "local"]
SPECS = ["cargo", "test", "--locked", "--workspace", "--test", "spec", "--no-run"]
# What is changed, in which file, and the number in it that a change raises.
CHANGES = [
    ("a rule of the domain", "shared/domain/posts/src/likes/batch.rs", r"(WRITES_TOGETHER_MAX: usize = )(\d+)"),
    ("a handler", "functions/posts/src/lib.rs", r"(//! .*)()$"),
    ("the local stack", "infra/local/src/stack.rs", r"(Duration::from_secs\()(\d+)"),
    ("a test", "tests/spec/likes.rs", r"(cases: )(\d+)"),
]
TEST = re.compile(r"^test (\S+)(?: - should panic)? \.\.\. ok <([\d.]+)s>$", re.M)


def main():
    options = arguments()
    print("| build | seconds, median of", options.runs, "|\n|---|---|")
    row("`make dev`, cold", [cold() for _ in range(options.runs)])
    run(SPECS)
    for what, file, number in CHANGES:
        row(f"`make dev` after {what}", [warm(SERVICE, file, number) for _ in range(options.runs)] if "test" not in what else [])
        row(f"the specs after {what}", [warm(SPECS, file, number) for _ in range(options.runs)])
    for name in ("local", *newest("deps/spec-*")):
        print(f"| size of `{name.split('-')[0]}` | {(TARGET / 'debug' / name).stat().st_size / 1e6:.0f} MB |")
    if options.tests:
        modules()


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--no-tests", dest="tests", action="store_false")
    return parser.parse_args()


def row(name, seconds):
    if seconds:
        print(f"| {name} | {statistics.median(seconds):.0f} |", flush=True)


def cold():
    shutil.rmtree(TARGET, ignore_errors=True)
    return run(SERVICE)


def warm(command, file, number):
    """Seconds of a build after one number in a file was raised."""
    with changed(ROOT / file, number):
        seconds = run(command)
    run(command)
    return seconds


@contextlib.contextmanager
def changed(file, number):
    text = file.read_text()
    raised = re.sub(number, lambda found: found[1] + (str(int(found[2]) + 1) if found[2] else " "), text, count=1, flags=re.M)
    file.write_text(raised)
    try:
        yield
    finally:
        file.write_text(text)


def run(command, **more):
    begin = time.monotonic()
    environment = os.environ | {"CARGO_TARGET_DIR": str(TARGET)} | more
    subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - begin


def newest(pattern):
    files = [file for file in (TARGET / "debug").glob(pattern) if not file.suffix]
    return [str(max(files, key=lambda file: file.stat().st_mtime).relative_to(TARGET / "debug"))] if files else []


def modules():
    """Runs the specs and prints the seconds of each module, as the sum of its tests, and the slowest tests."""
    command = [*SPECS[:-1], "--", "-Z", "unstable-options", "--report-time"]
    environment = os.environ | {"CARGO_TARGET_DIR": str(TARGET), "RUSTC_BOOTSTRAP": "1"}
    begin = time.monotonic()
    output = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False).stdout
    took = time.monotonic() - begin
    tests = {name: float(seconds) for name, seconds in TEST.findall(output)}
    modules = collections.Counter()
    for name, seconds in tests.items():
        modules[name.split("::")[0]] += seconds
    print(f"\n{len(tests)} specs in {took:.0f} s.\n\n| module | tests | seconds |\n|---|---|---|")
    for module, seconds in modules.most_common(15):
        print(f"| {module} | {sum(name.split('::')[0] == module for name in tests)} | {seconds:.0f} |")
    print("\n| slowest | seconds |\n|---|---|")
    for name, seconds in collections.Counter(tests).most_common(10):
        print(f"| `{name}` | {seconds:.0f} |")


if __name__ == "__main__":
    main()
