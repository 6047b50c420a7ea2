"""Variables and rights: functions get exactly those that uses.txt lists.

A line of uses.txt is `Posts FEED_SHARDS` for a variable, or `Posts dynamodb:GetItem Table` for a right. `make uses-check`
compares the file with the last `make test`.
"""

from . import rights
from .resources import functions, inherited, of_type, target


def problems(template, used):
    given = set(lines(template))
    for line in sorted(used - given):
        yield f"{line}: is used but not granted"
    for line in sorted(given - used):
        yield f"{line}: is granted but not used"


def lines(template):
    for name, properties in functions(template).items():
        for variable in (properties.get("Environment") or {}).get("Variables") or {}:
            yield f"{name} {variable}"
        yield from (f"{name} {action} {label(resource)}" for action, resource in granted(template, properties))


def granted(template, properties):
    """Returns the rights of a function without a condition. Conditions are false in the tests."""
    role = of_type(template, "AWS::IAM::Role").get(target(properties.get("Role")), {})
    managed = of_type(template, "AWS::IAM::ManagedPolicy")
    for policy in (managed.get(target(arn)) for arn in role.get("ManagedPolicyArns", [])):
        for statement in policy["PolicyDocument"]["Statement"] if policy else []:
            if "Fn::If" not in statement:
                yield from rights.unconditional(statement)


def label(resource):
    """Shortens `!GetAtt TableArn.Value` to Table, and `!Sub "${TableArn.Value}/index/gsi1"` to Table/index/gsi1."""
    if isinstance(resource, str):
        return resource
    ((_, text),) = resource.items()
    text = ".".join(text) if isinstance(text, list) else text
    for part in ("${", "}", "Arn.Value", ".Arn"):
        text = text.replace(part, "")
    return text.rsplit(":", 1)[-1]
