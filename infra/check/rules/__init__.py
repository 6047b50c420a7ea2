"""What a linter does not know: the rules of this house, one noun a file.

Each file has `problems(template)`, where the template is unrolled and not yet translated.
"""

from . import api, functions, queues, schedules, table, uses

NOUNS = (api, functions, queues, schedules, table)


def problems(template, used):
    """What is wrong with a template, in sentences; `used` are the lines of uses.txt."""
    found = [problem for noun in NOUNS for problem in noun.problems(template)]
    return found + list(uses.problems(template, used))
