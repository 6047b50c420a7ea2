"""Compares uses.txt with the variables and rights that functions used in `make test`. With --write, updates it.

    uses.py [--write] target/uses.txt

If only a race uses a right, mark its line with the reason:
`Posts dynamodb:Query Table  # sometimes: …`.
"""

import argparse
import pathlib
import sys

LISTED = pathlib.Path(__file__).with_name("uses.txt")
MARK = "  # sometimes: "


def main():
    options = arguments()
    listed, seen = read(LISTED.read_text()), set(options.seen.read_text().splitlines())
    if options.write:
        LISTED.write_text(written(listed, seen))
        return 0
    problems = list(differences(listed, seen))
    for problem in problems:
        print(f"{LISTED.name}: {problem}", file=sys.stderr)
    return 1 if problems else 0


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("seen", type=pathlib.Path)
    return parser.parse_args()


def read(text):
    """Returns the listed uses, each with the reason why it occurs only sometimes, or an empty text."""
    parts = (line.partition(MARK) for line in text.splitlines())
    return {use: why for use, _, why in parts}


def differences(listed, seen):
    for use in sorted(seen - listed.keys()):
        yield f"lacks {use}, which a test saw (make uses)"
    for use in sorted(listed.keys() - seen):
        if not listed[use]:
            yield f"has {use}, which no test saw"


def written(listed, seen):
    marked = {use: f"{use}{MARK}{why}" for use, why in listed.items() if why}
    return "".join(f"{marked.get(use, use)}\n" for use in sorted(seen | marked.keys()))


if __name__ == "__main__":
    sys.exit(main())
