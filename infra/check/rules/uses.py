"""Variables and rights: what functions use, as uses.txt says, is what they are given, no less and no more.

A line of uses.txt is `Posts FEED_SHARDS` for a variable that was asked for, `Posts dynamodb:GetItem Table` for
something that was done. `make test` holds the file to what the tests see.
"""

from .resources import functions, inherited, many


def problems(template, used):
    given = set(lines(template))
    for line in sorted(used - given):
        yield f"{line}: is used and not given"
    for line in sorted(given - used):
        yield f"{line}: is given and not used"


def lines(template):
    for name, properties in functions(template).items():
        for variable in (properties.get("Environment") or {}).get("Variables") or {}:
            yield f"{name} {variable}"
        for variable in ((inherited(template, {}, "Environment") or {}).get("Variables") or {}):
            yield f"{name} {variable}"
        for policy in properties.get("Policies", []):
            yield from (f"{name} {right}" for statement in policy.get("Statement", []) for right in rights(statement))


def rights(statement):
    # What is there under a condition only is not in the tests, where the condition does not hold.
    if "Fn::If" in statement:
        return
    for action in many(statement["Action"]):
        yield from (f"{action} {label(resource)}" for resource in many(statement["Resource"]))


def label(resource):
    """`!GetAtt Table.Arn` is Table, `!Sub "${Table.Arn}/index/gsi1"` is Table/index/gsi1."""
    if isinstance(resource, str):
        return resource
    ((_, text),) = resource.items()
    text = ".".join(text) if isinstance(text, list) else text
    return text.replace("${", "").replace("}", "").replace(".Arn", "").rsplit(":", 1)[-1]
