"""Functions: size and logs.

No alarm watches a single function. If a function for requests fails, the API returns 5xx. If a worker fails, its messages
are late and end in the dead letters.
"""

from .resources import functions, inherited, of_type, target

SIZES = ("Architectures", "MemorySize", "Timeout", "Tracing", "Runtime")
# Functions whose concurrency can be reserved. A flood of requests must not stop sign-ins, notifications and the relay.
RESERVED = ("Auth", "NotificationGrouping", "Relay")


def problems(template):
    logs = of_type(template, "AWS::Logs::LogGroup")
    for name in RESERVED:
        reserved = {"Fn::If": [f"ReservedFor{name}", {"Ref": f"ReservedFor{name}"}, {"Ref": "AWS::NoValue"}]}
        if functions(template)[name].get("ReservedConcurrentExecutions") != reserved:
            yield f"{name}: no parameter reserves concurrency for it"
    for name, properties in functions(template).items():
        for size in SIZES:
            if inherited(template, properties, size) is None:
                yield f"{name}: has no {size}"
        group = target(properties.get("LoggingConfig", {}).get("LogGroup"))
        if group != f"{name}Logs" or "RetentionInDays" not in logs.get(group, {}):
            yield f"{name}: lacks its own log group, {name}Logs, with a retention: add it to Fn::ForEach::EachFunction"
