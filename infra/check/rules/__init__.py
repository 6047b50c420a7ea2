"""Rules that linters lack, one noun per file.

Each file has `problems(template)`. `template` has unrolled loops. Rules for what SAM adds get the translated template.
"""

from . import alarms, api, backups, buckets, deployments, emails, front, functions, loops, nested, queues, resources, rights, schedules, stacks, streams, switches, table, uses

NOUNS = (alarms, api, backups, buckets, deployments, emails, functions, loops, queues, schedules, stacks, streams, switches, table)


def problems(template, used):
    """Returns the problems of a template as sentences. `used` has the lines of uses.txt."""
    found = [problem for noun in NOUNS for problem in noun.problems(template)]
    return found + list(uses.problems(template, used))


def translated_problems(template):
    """Returns the problems of a translated template."""
    return [*rights.problems(template), *deployments.translated_problems(template)]
