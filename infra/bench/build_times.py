"""Measures builds and tests of this checkout, and prints the tables of infra/bench/RESULTS.md.

    build_times.py [--runs 3] [--no-tests]

Builds into target/build-times, so that a cold build removes nothing else. A warm build follows a one-line
change, which is then reverted. Needs the crates downloaded and an idle machine.
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
# Name of the change, file, and pattern of the number to increment.
CHANGES = [
    ("a rule of the domain", "shared/domain/posts/src/counting/likes/batch.rs", r"(WRITES_TOGETHER_MAX: usize = )(\d+)"),
    ("a handler", "functions/posts-api/src/feed.rs", r"(default = )(\d+)"),
    ("the local stack", "infra/local/src/stack.rs", r"(Duration::from_secs\()(\d+)"),
    ("a test", "tests/spec/likes.rs", r"(cases: )(\d+)"),
]
TEST = re.compile(r"^test (\S+)(?: - should panic)? \.\.\. ok <([\d.]+)s>$", re.M)


def main():
    options = arguments()
    print(f"| build | seconds, median of {options.runs} |\n|---|---|")
    row("`make dev`, cold", [cold() for _ in range(options.runs)])
    run(SPECS)
    for what, file, number in CHANGES:
        if "test" not in what:
            row(f"`make dev` after a change of {what}", [warm(SERVICE, file, number) for _ in range(options.runs)])
        row(f"the specs after a change of {what}", [warm(SPECS, file, number) for _ in range(options.runs)])
    for name in ("local", *newest("deps/spec-*")):
        print(f"| size of `{name.split('-')[0]}` | {(TARGET / 'debug' / name).stat().st_size / 1e6:.0f} MB |")
    if options.tests:
        print_modules()


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--no-tests", dest="tests", action="store_false")
    return parser.parse_args()


def row(name, seconds):
    print(f"| {name} | {statistics.median(seconds):.0f} |", flush=True)


def cold():
    shutil.rmtree(TARGET, ignore_errors=True)
    return run(SERVICE)


def warm(command, file, number):
    """Returns the seconds of a build after an edit of one number in a file."""
    with changed(ROOT / file, number):
        seconds = run(command)
    run(command)
    return seconds


@contextlib.contextmanager
def changed(file, number):
    text = file.read_text()
    edited = re.sub(number, lambda found: found[1] + str(int(found[2]) + 1), text, count=1)
    assert edited != text, f"{file} has no number to increment"
    file.write_text(edited)
    try:
        yield
    finally:
        file.write_text(text)


def run(command):
    begin = time.monotonic()
    environment = os.environ | {"CARGO_TARGET_DIR": str(TARGET)}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - begin


def newest(pattern):
    files = [file for file in (TARGET / "debug").glob(pattern) if not file.suffix]
    return [str(max(files, key=lambda file: file.stat().st_mtime).relative_to(TARGET / "debug"))] if files else []


def print_modules():
    """Runs the specs and prints the seconds of each module, as the sum of its tests, and the slowest tests."""
    command = [TARGET / "debug" / newest("deps/spec-*")[0], "-Z", "unstable-options", "--report-time"]
    begin = time.monotonic()
    environment = os.environ | {"RUSTC_BOOTSTRAP": "1"}
    output = subprocess.run(command, cwd=ROOT / "tests", env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout
    elapsed = time.monotonic() - begin
    tests = {name: float(seconds) for name, seconds in TEST.findall(output)}
    seconds_of = collections.Counter()
    for name, seconds in tests.items():
        seconds_of[name.split("::")[0]] += seconds
    print(f"\n{len(tests)} specs in {elapsed:.0f} s.\n\n| module | tests | seconds |\n|---|---|---|")
    for module, seconds in seconds_of.most_common(15):
        print(f"| {module} | {sum(name.split('::')[0] == module for name in tests)} | {seconds:.0f} |")
    print("\n| slowest | seconds |\n|---|---|")
    for name, seconds in collections.Counter(tests).most_common(10):
        print(f"| `{name}` | {seconds:.0f} |")


if __name__ == "__main__":
    main()
