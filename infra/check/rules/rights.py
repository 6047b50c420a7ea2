"""Rights: each function has a role of its own, and each right in it is named, an action on a resource.

They are read where AWS will read them, in the translated template: what SAM adds by itself is found there.
"""

from .resources import many, of_type, target

FUNCTION = "AWS::Lambda::Function"
# What cannot be named in advance: the objects of a prefix, the streams of a table, for listing them, and the models
# behind an inference profile.
WILDCARDS = (
    "UploadBucket.Arn}/incoming/*",
    "UploadBucket.Arn}/uploads/*",
    "UploadBucket.Arn}/exports/*",
    "UndeliveredBucket.Arn}/aws/lambda/*",
    "TableArn.Value}/stream/*",
    ":foundation-model/*",
    ":inference-profile/*",
)
# X-Ray knows no resources: https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsx-ray.html
WITHOUT_RESOURCES = {"xray:PutTraceSegments", "xray:PutTelemetryRecords"}


def problems(template):
    """Of a template that is translated."""
    owners = {}
    for name, properties in of_type(template, FUNCTION).items():
        role = target(properties["Role"])
        if role != f"{name}Role":
            yield f"{name}: has no role of its own, {name}Role"
        owners.setdefault(role, name)
    for role, properties in of_type(template, "AWS::IAM::Role").items():
        for arn in properties.get("ManagedPolicyArns", []):
            if target(arn) not in of_type(template, "AWS::IAM::ManagedPolicy"):
                yield f"{owners.get(role, role)}: its role has a policy that is none of ours, {text(arn)}"
        for statement in of_role(template, role):
            yield from (f"{owners.get(role, role)}: {problem}" for problem in wildcards(statement))


def statements(template, function):
    """Those of a function's role, each without its condition."""
    role = target(of_type(template, "AWS::Serverless::Function")[function].get("Role"))
    return of_role(template, role)


def of_role(template, role):
    properties = of_type(template, "AWS::IAM::Role").get(role, {})
    managed = of_type(template, "AWS::IAM::ManagedPolicy")
    shared = [managed[target(it)] for it in properties.get("ManagedPolicyArns", []) if target(it) in managed]
    for policy in [*shared, *properties.get("Policies", [])]:
        for statement in policy["PolicyDocument"]["Statement"]:
            yield from (it for it in alternatives(statement) if it != {"Ref": "AWS::NoValue"})


def alternatives(value):
    """What an `!If` may become, or the value itself."""
    return value["Fn::If"][1:] if isinstance(value, dict) and "Fn::If" in value else [value]


def pairs(statement):
    for action in many(statement.get("Action")):
        for resource in many(statement.get("Resource")):
            yield from ((action, it) for it in alternatives(resource) if it != {"Ref": "AWS::NoValue"})


def unconditional(statement):
    """The pairs of an action and a resource that no condition decides about."""
    for action in many(statement.get("Action")):
        yield from ((action, it) for it in many(statement.get("Resource")) if alternatives(it) == [it])


def wildcards(statement):
    for action, resource in pairs(statement):
        if "*" in action:
            yield f"{action} is not the name of an action"
        if "*" in text(resource) and not text(resource).endswith(WILDCARDS) and action not in WITHOUT_RESOURCES:
            yield f"{text(resource)} is not the name of a resource"


def text(resource):
    return str(resource.get("Fn::Sub", resource)) if isinstance(resource, dict) else str(resource)
