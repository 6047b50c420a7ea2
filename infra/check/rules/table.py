"""The table: kept safe, with the indexes that the code knows, and somebody who is told when it is too slow."""

from .resources import of_type, watched

WANTED = {
    "BillingMode": "PAY_PER_REQUEST",
    "DeletionProtectionEnabled": True,
    "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True},
    "TimeToLiveSpecification": {"AttributeName": "ttl", "Enabled": True},
}
INDEXES = ["gsi1", "gsi2", "gsi3"]
THROTTLES = ("ReadThrottleEvents", "WriteThrottleEvents")
# The runbook looks for a hot partition there.
INSIGHTS = {"Enabled": {"Fn::If": ["HotKeysNamed", True, False]}, "Mode": "THROTTLED_KEYS"}


def problems(template):
    for name, properties in of_type(template, "AWS::DynamoDB::Table").items():
        for wanted, value in WANTED.items():
            if properties.get(wanted) != value:
                yield f"{name}: {wanted} is {properties.get(wanted)}, not {value}"
        indexes = [it["IndexName"] for it in properties["GlobalSecondaryIndexes"]]
        if indexes != INDEXES:
            yield f"{name}: its indexes are {indexes}, not {INDEXES}"
        if template["Resources"][name].get("DeletionPolicy") != "Retain":
            yield f"{name}: is deleted with the stack"
        for part in [properties, *properties["GlobalSecondaryIndexes"]]:
            if part.get("ContributorInsightsSpecification") != INSIGHTS:
                yield f"{part.get('IndexName', name)}: nobody could say which of its keys throttle"
    yield from unwatched(template)


def unwatched(template):
    """The metrics of a table leave out those of its indexes, so each has its alarm."""
    for metric in THROTTLES:
        seen = [it.get("GlobalSecondaryIndexName") for it in watched(template, metric) if "TableName" in it]
        for index in [None, *INDEXES]:
            if index not in seen:
                yield f"{index or 'Table'}: no alarm watches its {metric}"
