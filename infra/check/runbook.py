"""Compares the alarms in template.yaml with the runbook in infra/OPERATING.md.

Each alarm needs a row with a first command, and next steps. Each situation needs an entry with a first command.
"""

import pathlib
import re

PAGE = pathlib.Path(__file__).parent.parent / "OPERATING.md"
ALARM = re.compile(r"^ +-? *(\S+)Alarm:$", re.MULTILINE)
# A word in italics stands for each queue or function: *Queue*`Late`.
NAME = re.compile(r"(\*\w+\*)?`(\w+)`")
STEPS = re.compile(r"^- \*\*(.+?)\.\*\*(.*(?:\n  .*)*)", re.MULTILINE)
# Code that can be typed as it is.
COMMAND = re.compile(r"`(?:aws|curl|make) [^`…]+`")
SITUATIONS = (
    "SES suspended", "Account concurrency exhausted", "Table throttled", "Poison message", "Leaked secret", "Abuse wave",
    "Wrong deployment", "Region down",
)
RANGE = re.compile(r"`gsi1(\w+)` to `gsi3\w+`")


def problems(template, page=None):
    """Yields alarms without an entry, and entries without an alarm."""
    in_template = {re.sub(r"^\$\{\w+\}", "*", name) for name in ALARM.findall(template)}
    page = PAGE.read_text() if page is None else page
    entries = set(listed(page))
    for name in sorted(in_template - entries):
        yield f"the runbook has no entry for the alarm {name}"
    for name in sorted(entries - in_template):
        yield f"the runbook has an entry for {name}, which is no alarm"
    for name in without_command(page):
        yield f"the runbook's entry for {name} has no command that can be typed"
    steps = steps_of(page)
    for name in sorted(entries):
        if not any(name.endswith(step) for step in steps):
            yield f"the runbook has no next steps for {name}"
    for name in SITUATIONS:
        if name not in steps:
            yield f"the runbook has no entry for the situation {name!r}"


def listed(page):
    """Yields the names of alarms in the table."""
    for name, _, _ in rows(page):
        cell = RANGE.sub(r"*x*`\1`", name)
        yield from ("*" * bool(any_of) + name for any_of, name in NAME.findall(cell))


def without_command(page):
    """Yields the alarms and situations whose entries have no command."""
    yield from (name.strip() for name, _, command in rows(page) if not COMMAND.search(command))
    yield from (name for name, text in steps_of(page).items() if name in SITUATIONS and not COMMAND.search(text))


def steps_of(page):
    """Returns the next steps of alarms and situations, by name."""
    return {name: text for names, text in STEPS.findall(page) for name in names.split(", ")}


def rows(page):
    """Yields the alarms, the meaning and the first command of each row."""
    table = page.split("## Runbook\n", 1)[1].strip().split("\n\n", 1)[0]
    yield from (row.strip("|").split("|") for row in table.splitlines()[2:])
