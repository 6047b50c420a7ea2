"""Functions that find resources in a template."""


def of_type(template, kind):
    """Returns the names and properties of resources of a type."""
    return {
        name: resource.get("Properties", {})
        for name, resource in template["Resources"].items()
        if resource["Type"] == kind
    }


def functions(template):
    return of_type(template, "AWS::Serverless::Function")


def events(template, kind):
    """Returns function, event and properties of each event of a type."""
    for function, properties in functions(template).items():
        for name, event in properties.get("Events", {}).items():
            if event["Type"] == kind:
                yield function, name, event["Properties"]


def mappings(template):
    """Returns the mappings of queues to functions."""
    return {name: mapping for name, mapping in all_mappings(template).items() if "StartingPosition" not in mapping}


def stream_mappings(template):
    """Returns the mappings of streams to functions. They have a starting position."""
    return {name: mapping for name, mapping in all_mappings(template).items() if "StartingPosition" in mapping}


def all_mappings(template):
    return of_type(template, "AWS::Lambda::EventSourceMapping")


def target(value):
    """Returns the resource that a value refers to."""
    if isinstance(value, dict) and "Ref" in value:
        # `Mail.Alias` and, in a translated template, `MailAliaslive` stand for the alias of the function `Mail`.
        return value["Ref"].removesuffix("Aliaslive").split(".")[0]
    # The name of a rule in a reference `bus|rule`.
    if isinstance(value, dict) and "Fn::Select" in value:
        return target(value["Fn::Select"][1]["Fn::Split"][1])
    if isinstance(value, dict) and "Fn::GetAtt" in value:
        path = value["Fn::GetAtt"]
        return (path.split(".") if isinstance(path, str) else path)[0]
    return None


def many(value):
    """Returns a value or a list as a list."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def inherited(template, properties, name):
    """Returns a property of a function, or of all functions."""
    return properties.get(name, template["Globals"]["Function"].get(name))


def alarms(template, metric):
    """Returns the resources with an alarm for a metric."""
    return {target(value) for dimensions in watched(template, metric) for value in dimensions.values()}


def watched(template, metric):
    """Returns the dimensions of each alarm for a metric, alone or in an expression."""
    for properties in of_type(template, "AWS::CloudWatch::Alarm").values():
        if not properties.get("AlarmActions"):
            continue
        parts = [query["MetricStat"]["Metric"] for query in properties.get("Metrics", []) if "MetricStat" in query]
        for part in [properties, *parts]:
            if part.get("MetricName") == metric:
                yield {dimension["Name"]: dimension["Value"] for dimension in part.get("Dimensions", [])}
