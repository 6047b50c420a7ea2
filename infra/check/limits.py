"""Prints how close the translated template is to the limits of CloudFormation and Lambda.

Sources: <https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html> and
<https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html>.
"""

import json

# The limits of AWS, and a number that leaves room for growth. The figure must not be higher.
LIMITS = {
    "resources": (500, 450),
    "parameters": (200, 180),
    "outputs": (200, 180),
    "bytes of the template": (1_000_000, 900_000),
    "bytes of the largest environment": (4096, 3600),
}
# CloudFormation replaces references by values of up to this length, such as ARNs and URLs.
VALUE_BYTES = 120


def measured(template, translated):
    resources = translated["Resources"]
    variables = [resource["Properties"].get("Environment", {}).get("Variables", {}) for resource in resources.values() if resource["Type"] == "AWS::Lambda::Function"]
    sizes = [sum(len(name) + (len(value) if isinstance(value, str) else VALUE_BYTES) for name, value in it.items()) for it in variables]
    counts = [len(resources), len(template["Parameters"]), len(translated.get("Outputs", {})), len(json.dumps(translated))]
    return dict(zip(LIMITS, [*counts, max(sizes)], strict=True))


def problems(template, translated):
    """Prints the figures, and yields those that are too close to their limits."""
    for what, figure in measured(template, translated).items():
        limit, room = LIMITS[what]
        print(f"{what:<34}{figure:>9,} of {limit:,}")
        if figure > room:
            yield f"{figure} {what}: more than {room} of {limit} leave no room for growth"
