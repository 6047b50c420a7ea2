"""What a linter does not know: the rules of this house, one noun a file.

Each file has `problems(template)`, where the template is unrolled and, but for rights, not yet translated.
"""

from . import api, functions, loops, queues, rights, schedules, streams, table, uses

NOUNS = (api, functions, loops, queues, schedules, streams, table)


def problems(template, used):
    """What is wrong with a template, in sentences; `used` are the lines of uses.txt."""
    found = [problem for noun in NOUNS for problem in noun.problems(template)]
    return found + list(uses.problems(template, used))


def translated_problems(template):
    """What is wrong with a template that is translated."""
    return list(rights.problems(template))
