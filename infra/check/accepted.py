"""Findings that are meant to be, word for word, a line each."""

import pathlib


def judge(found, path, what):
    """Says which findings are not meant, and which lines find nothing; 1 where there is any."""
    lines = pathlib.Path(path).read_text().splitlines()
    meant = [it.strip() for it in lines if it.strip() and not it.startswith("#")]
    for finding in found:
        if finding not in meant:
            print(f"{what}: {finding}")
    for line in meant:
        if line not in found:
            print(f"accepted, but not there: {line}")
    return int(sorted(found) != sorted(meant))
