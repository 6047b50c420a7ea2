"""Rights: each function has its own role, and each right names an action and a resource.

The rights are read from the translated template, because SAM adds statements.
"""

from .resources import many, of_type, target

FUNCTION = "AWS::Lambda::Function"
# Resources without a fixed name: objects of a prefix, streams of a table, and models behind an inference profile.
WILDCARDS = (
    "UploadBucket.Arn}/incoming/*",
    "UploadBucket.Arn}/uploads/*",
    "UploadBucket.Arn}/exports/*",
    "UploadBucket.Arn}/evidence/*",
    "UndeliveredBucket.Arn}/aws/lambda/*",
    "UndeliveredBucket.Arn}/deletions/*",
    "TableArn.Value}/stream/*",
    ":foundation-model/*",
    ":inference-profile/*",
)
# Functions that call user-supplied addresses, each with the only secret that it may read. Each of their rights on the
# table must list partitions.
EXPOSED = {"Outbound": "OutboundKey"}
# X-Ray does not support resources: https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsx-ray.html
WITHOUT_RESOURCES = {"xray:PutTraceSegments", "xray:PutTelemetryRecords"}


def problems(template):
    """Returns the problems of a translated template."""
    owners = {}
    for name, properties in of_type(template, FUNCTION).items():
        role = target(properties["Role"])
        if role != f"{name}Role":
            yield f"{name}: lacks its own role {name}Role"
        owners.setdefault(role, name)
    for role, properties in of_type(template, "AWS::IAM::Role").items():
        # SAM creates this role for CodeDeploy, with a policy of AWS. No function has this role.
        if role == "CodeDeployServiceRole":
            continue
        for arn in properties.get("ManagedPolicyArns", []):
            if target(arn) not in of_type(template, "AWS::IAM::ManagedPolicy"):
                yield f"{owners.get(role, role)}: its role has a foreign policy, {text(arn)}"
        for statement in of_role(template, role):
            yield from (f"{owners.get(role, role)}: {problem}" for problem in wildcards(statement))
            if owners.get(role) in EXPOSED:
                yield from (f"{owners[role]}: {problem}" for problem in without_partitions(statement))
                yield from (f"{owners[role]}: {problem}" for problem in foreign_secrets(statement, EXPOSED[owners[role]]))


def statements(template, function):
    """Returns the statements of a function's role, without their conditions."""
    role = target(of_type(template, "AWS::Serverless::Function")[function].get("Role"))
    return of_role(template, role)


def of_role(template, role):
    properties = of_type(template, "AWS::IAM::Role").get(role, {})
    managed = of_type(template, "AWS::IAM::ManagedPolicy")
    shared = [managed[target(policy)] for policy in properties.get("ManagedPolicyArns", []) if target(policy) in managed]
    for policy in [*shared, *properties.get("Policies", [])]:
        for statement in policy["PolicyDocument"]["Statement"]:
            yield from (choice for choice in alternatives(statement) if choice != {"Ref": "AWS::NoValue"})


def alternatives(value):
    """Returns the alternatives of an `!If`, or the value itself."""
    return value["Fn::If"][1:] if isinstance(value, dict) and "Fn::If" in value else [value]


def pairs(statement):
    for action in many(statement.get("Action")):
        for resource in many(statement.get("Resource")):
            yield from ((action, choice) for choice in alternatives(resource) if choice != {"Ref": "AWS::NoValue"})


def unconditional(statement):
    """Returns the pairs of action and resource without a condition."""
    for action in many(statement.get("Action")):
        yield from ((action, it) for it in many(statement.get("Resource")) if alternatives(it) == [it])


def wildcards(statement):
    if "NotAction" in statement or "NotResource" in statement:
        yield "a statement excludes actions or resources instead of naming them"
    for action, resource in pairs(statement):
        if "*" in action:
            yield f"{action} does not name an action"
        # In the sandbox, SES checks the permission for each recipient's identity. The condition names the sender.
        is_email = action == "ses:SendEmail" and "ses:FromAddress" in str(statement.get("Condition"))
        is_named = text(resource).endswith(WILDCARDS) or action in WITHOUT_RESOURCES or is_email
        if "*" in text(resource) and not is_named:
            yield f"{text(resource)} does not name a resource"


def without_partitions(statement):
    condition = statement.get("Condition", {}).get("ForAllValues:StringLike", {})
    partitions = many(condition.get("dynamodb:LeadingKeys"))
    for action in many(statement.get("Action")):
        if action.startswith("dynamodb:") and (not partitions or "*" in partitions):
            yield f"{action} is not limited to partitions of the table, although the function calls user-supplied addresses"


def foreign_secrets(statement, own):
    for action, resource in pairs(statement):
        if action.startswith("secretsmanager:") and resource != {"Ref": own}:
            yield f"{text(resource)} is not its own secret {own}, although the function calls user-supplied addresses"


def text(resource):
    return str(resource.get("Fn::Sub", resource)) if isinstance(resource, dict) else str(resource)
