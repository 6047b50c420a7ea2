"""Functions: each with its size, its logs, its alarms, and rights that are named one by one."""

from .resources import alarms, functions, inherited, many, of_type, target

SIZES = ("Architectures", "MemorySize", "Timeout", "Tracing", "Runtime")
# What cannot be named in advance: the objects of a prefix, and the models behind an inference profile.
WILDCARDS = ("UploadBucket.Arn}/uploads/*", ":foundation-model/*", ":inference-profile/*")


def problems(template):
    logs = of_type(template, "AWS::Logs::LogGroup")
    errors, throttles = alarms(template, "Errors"), alarms(template, "Throttles")
    for name, properties in functions(template).items():
        for size in SIZES:
            if inherited(template, properties, size) is None:
                yield f"{name}: has no {size}"
        group = target(properties.get("LoggingConfig", {}).get("LogGroup"))
        if group != f"{name}Logs" or "RetentionInDays" not in logs.get(group, {}):
            yield f"{name}: has no log group of its own, {name}Logs, that forgets"
        if name not in errors or name not in throttles:
            yield f"{name}: no alarm watches its errors and throttles; name it in Fn::ForEach::EachFunction"
        yield from (f"{name}: {problem}" for problem in policies(properties))


def policies(properties):
    for policy in chosen(properties.get("Policies", [])):
        if not isinstance(policy, dict) or set(policy) != {"Statement"}:
            yield "a policy is no list of statements"
            continue
        for statement in chosen(policy["Statement"]):
            yield from wildcards(statement)


def chosen(parts):
    """What there may be: the parts, and what conditions make of them."""
    for part in parts:
        choices = part["Fn::If"][1:] if isinstance(part, dict) and "Fn::If" in part else [part]
        yield from (it for it in choices if it != {"Ref": "AWS::NoValue"})


def wildcards(statement):
    for action in many(statement.get("Action")):
        if "*" in action:
            yield f"{action} is not the name of an action"
    for resource in many(statement.get("Resource")):
        text = resource.get("Fn::Sub", "") if isinstance(resource, dict) else str(resource)
        if "*" in text and not text.endswith(WILDCARDS):
            yield f"{text} is not the name of a resource"
