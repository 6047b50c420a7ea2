"""Functions: each with its size and its logs.

No alarm watches a function by itself. Where one fails that answers requests, the API answers 5xx; where a worker
fails, its messages become late and end in the dead letters.
"""

from .resources import functions, inherited, of_type, target

SIZES = ("Architectures", "MemorySize", "Timeout", "Tracing", "Runtime")


def problems(template):
    logs = of_type(template, "AWS::Logs::LogGroup")
    for name, properties in functions(template).items():
        for size in SIZES:
            if inherited(template, properties, size) is None:
                yield f"{name}: has no {size}"
        group = target(properties.get("LoggingConfig", {}).get("LogGroup"))
        if group != f"{name}Logs" or "RetentionInDays" not in logs.get(group, {}):
            yield f"{name}: has no log group of its own, {name}Logs, that forgets; name it in Fn::ForEach::EachFunction"
