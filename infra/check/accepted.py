"""Compares findings with a file of accepted findings. Each line of the file is one finding, verbatim."""

import pathlib


def judge(found, path, what):
    """Prints findings that are not accepted, and accepted lines without a finding. Returns 1 if there are any."""
    lines = pathlib.Path(path).read_text().splitlines()
    accepted = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    for finding in found:
        if finding not in accepted:
            print(f"{what}: {finding}")
    for line in accepted:
        if line not in found:
            print(f"accepted, but not found: {line}")
    return int(sorted(found) != sorted(accepted))
