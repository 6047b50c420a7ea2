"""Compares the numbers of crates and of duplicate versions with those in crates.txt.

    crates.py           fails if a number differs from crates.txt
    crates.py --write   writes the current numbers

Each external crate slows every cold build. In a function it also adds size and start-up time. A commit that raises a
number states the cost in its message: seconds of a cold build, KB of a zip.
"""

import collections
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RECORDED = pathlib.Path(__file__).with_name("crates.txt")
# CI's target. Other targets have other dependencies.
TREE = [
    "cargo", "tree", "--locked", "--edges", "normal,build", "--target", "x86_64-unknown-linux-gnu",
    "--prefix", "none", "--format", "{p}",
]


def main(arguments):
    counted = {name: count(packages) for name, packages in trees().items()}
    if arguments == ["--write"]:
        RECORDED.write_text(table(counted))
        return 0
    problems = list(differences(recorded(), counted))
    for problem in problems:
        print(f"crates: {problem}", file=sys.stderr)
    return 1 if problems else 0


def trees():
    """Returns the packages of each tree as `name version`."""
    functions = sorted(path.parent.name for path in ROOT.glob("functions/*/Cargo.toml"))
    return {
        "functions": tree(*(word for name in functions for word in ("--package", name))),
        "local": tree("--package", "local"),
        "all": tree("--workspace"),
    }


def tree(*selected):
    listed = subprocess.run([*TREE, *selected], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    return {" ".join(line.split()[:2]) for line in listed.splitlines() if line.strip() and "(/" not in line}


def count(packages):
    versions = collections.Counter(package.split()[0] for package in packages)
    return len(packages), sum(1 for number in versions.values() if number > 1)


def recorded():
    lines = [line.split() for line in RECORDED.read_text().splitlines() if line.strip() and not line.startswith("#")]
    return {name: (int(crates), int(duplicates)) for name, crates, duplicates in lines}


def table(counted):
    head = "# External crates, and crates with several versions, per tree. Written by `make crates`.\n"
    return head + "".join(f"{name:<12}{crates:>5}{duplicates:>5}\n" for name, (crates, duplicates) in counted.items())


def differences(expected, counted):
    for name, numbers in counted.items():
        for kind, wanted, actual in zip(("crates", "duplicate versions"), expected.get(name, (0, 0)), numbers):
            if actual != wanted:
                yield f"{name}: {actual} {kind}, crates.txt has {wanted}. Run `make crates`, and state the cost in the commit message."


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
