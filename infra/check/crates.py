"""Compares the number of crates and of duplicate versions with the maximum that crates.txt notes.

    crates.py           fails if a tree has more crates or duplicates than noted, or fewer
    crates.py --write   notes today's numbers

Every crate costs seconds of each cold build, and those of the functions also size and start-up. A change that
raises a number notes it and says in its commit what the crate costs: seconds of a cold build, KB of a zip.
"""

import collections
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NOTED = pathlib.Path(__file__).with_name("crates.txt")
# The machine that CI runs on: other systems need other crates.
TREE = [
    "cargo", "tree", "--locked", "--edges", "normal,build", "--target", "x86_64-unknown-linux-gnu",
    "--prefix", "none", "--format", "{p}",
]


def main(arguments):
    counted = {name: count(packages) for name, packages in trees().items()}
    if arguments == ["--write"]:
        NOTED.write_text(table(counted))
        return 0
    problems = list(differences(noted(), counted))
    for problem in problems:
        print(f"crates: {problem}", file=sys.stderr)
    return 1 if problems else 0


def trees():
    """The packages of each tree, as lines `name version`."""
    functions = sorted(path.parent.name for path in ROOT.glob("functions/*/Cargo.toml"))
    return {
        "functions": tree(*(word for name in functions for word in ("--package", name))),
        "local": tree("--package", "local"),
        "all": tree("--workspace"),
    }


def tree(*selected):
    listed = subprocess.run([*TREE, *selected], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return {" ".join(line.split()[:2]) for line in listed.splitlines() if line.strip() and "(/" not in line}


def count(packages):
    versions = collections.Counter(package.split()[0] for package in packages)
    return len(packages), sum(1 for times in versions.values() if times > 1)


def noted():
    lines = [line.split() for line in NOTED.read_text().splitlines() if line and not line.startswith("#")]
    return {name: (int(crates), int(duplicates)) for name, crates, duplicates in lines}


def table(counted):
    head = "# Crates from outside, and names among them with several versions. Written by `make crates`.\n"
    return head + "".join(f"{name:<12}{crates:>5}{duplicates:>5}\n" for name, (crates, duplicates) in counted.items())


def differences(maximum, counted):
    for name, numbers in counted.items():
        for what, most, there in zip(("crates", "duplicate versions"), maximum[name], numbers):
            if there > most:
                yield f"{name} has {there} {what}, and the maximum is {most}: run `make crates` and say what it costs"
            if there < most:
                yield f"{name} has {there} {what}, fewer than the maximum of {most}: run `make crates`"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
