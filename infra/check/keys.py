"""Writes shared/KEYS.md from shared/keys.toml.

    keys.py           fails if KEYS.md is out of date, or if no test measures a budget
    keys.py --write   writes KEYS.md
"""

import pathlib
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCE = ROOT / "shared/keys.toml"
PAGE = ROOT / "shared/KEYS.md"
HEAD = "<!-- Written by `make keys` from keys.toml. -->\n\n# Keys\n\nEvery row of the table, and what each request and job costs.\n"
INDEXES = ("gsi1", "gsi2", "gsi3")


def main(arguments):
    source = tomllib.loads(SOURCE.read_text())
    written = page(source)
    if arguments == ["--write"]:
        PAGE.write_text(written)
        return 0
    problems = [f"no test measures {name!r}" for name in unmeasured(source)]
    if PAGE.read_text() != written:
        problems.append("shared/KEYS.md is out of date: run make keys")
    for problem in problems:
        print(f"keys: {problem}", file=sys.stderr)
    return 1 if problems else 0


def unmeasured(source):
    """Returns the budgets that no test names."""
    specs = "".join(path.read_text() for path in (ROOT / "tests/spec").rglob("*.rs"))
    return [name for area in areas(source) for name in area.get("budgets", {}) if f'"{name}"' not in specs]


def areas(source):
    return [area for area in source.values() if isinstance(area, dict)]


def page(source):
    return "\n".join([HEAD, source["intro"].strip(), "", *(chapter(area) for area in areas(source))])


def chapter(area):
    parts = [
        f"## {area['title']}\n\n{area['notes'].strip()}",
        table(("row", "key", "indexes", "kept"), [row(*it) for it in area.get("rows", {}).items()]),
        table(("budget", "calls", "RRU", "WRU", "follow", "and"), [budget(*it) for it in area.get("budgets", {}).items()]),
        table(("estimate", "takes"), area.get("estimates", {}).items()),
        table(("a million of", "dollars"), area.get("a_million", {}).items()),
        table(("an hour of", "dollars", "limit", "dollars before the limits"), [hour(*it) for it in area.get("an_hour", {}).items()]),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def hour(name, it):
    return name, it["dollars"], it["limit"], it["before"]


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |".replace("  ", " ") for line in lines) if rows else ""


def row(name, kind):
    keys = kind["key"] if isinstance(kind["key"], list) else [kind["key"]]
    indexes = [f"{index} {place(text)}" for index in INDEXES for text in kind.get(index, [])]
    about = f"**{name}**: {kind['about']}" if "about" in kind else f"**{name}**"
    return about, ", ".join(map(place, keys)), "; ".join(indexes), kind.get("kept", "")


def place(text):
    """Formats a key `PARTITION / SORT` as Markdown."""
    partition, sort = text.split(" / ", 1)
    return f"`{partition}` / " + (f"`{sort}`" if sort[0].isupper() and "(" not in sort else sort)


def budget(name, figures):
    most = "≤ " if figures.get("at_most") else ""
    counts = [figures.get(unit, 0) for unit in ("calls", "rru", "wru")]
    follow = figures.get("messages", 0) + figures.get("announcements", 0)
    return name, *(f"{most}{count:,}" if count else "" for count in counts), follow or "", figures.get("more", "")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
