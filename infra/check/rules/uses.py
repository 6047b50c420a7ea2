"""Variables and rights: what functions use, as uses.txt says, is what they are given, no less and no more.

A line of uses.txt is `Posts FEED_SHARDS` for a variable that was asked for, `Posts dynamodb:GetItem Table` for
something that was done. `make test` holds the file to what the tests see.
"""

from . import rights
from .resources import functions, inherited, of_type, target


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
        yield from (f"{name} {action} {label(resource)}" for action, resource in granted(template, properties))


def granted(template, properties):
    """What the function's own rights say, but for what is there under a condition: it does not hold in the tests."""
    role = of_type(template, "AWS::IAM::Role").get(target(properties.get("Role")), {})
    managed = of_type(template, "AWS::IAM::ManagedPolicy")
    for policy in (managed.get(target(it)) for it in role.get("ManagedPolicyArns", [])):
        for statement in policy["PolicyDocument"]["Statement"] if policy else []:
            if "Fn::If" not in statement:
                yield from rights.unconditional(statement)


def label(resource):
    """`!GetAtt TableArn.Value` is Table, `!Sub "${TableArn.Value}/index/gsi1"` is Table/index/gsi1."""
    if isinstance(resource, str):
        return resource
    ((_, text),) = resource.items()
    text = ".".join(text) if isinstance(text, list) else text
    for part in ("${", "}", "Arn.Value", ".Arn"):
        text = text.replace(part, "")
    return text.rsplit(":", 1)[-1]
