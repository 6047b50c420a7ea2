"""The table: protection, the indexes of the code, and alarms for throttles."""

from .resources import of_type, watched

WANTED = {
    "BillingMode": "PAY_PER_REQUEST",
    "DeletionProtectionEnabled": True,
    "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True},
    "TimeToLiveSpecification": {"AttributeName": "ttl", "Enabled": True},
}
INDEXES = ["gsi1", "gsi2", "gsi3"]
# Without these limits, only the account's quota limits the cost of a flood of requests.
MAXIMA = {"MaxReadRequestUnits": {"Ref": "TableMaxReads"}, "MaxWriteRequestUnits": {"Ref": "TableMaxWrites"}}
THROTTLES = ("ReadThrottleEvents", "WriteThrottleEvents")
# Contributor Insights, which the runbook uses to find hot partitions.
INSIGHTS = {"Enabled": {"Fn::If": ["HotKeysNamed", True, False]}, "Mode": "THROTTLED_KEYS"}


def problems(template):
    for name, properties in of_type(template, "AWS::DynamoDB::Table").items():
        for wanted, value in WANTED.items():
            if properties.get(wanted) != value:
                yield f"{name}: {wanted} is {properties.get(wanted)}, not {value}"
        indexes = [index["IndexName"] for index in properties["GlobalSecondaryIndexes"]]
        if indexes != INDEXES:
            yield f"{name}: its indexes are {indexes}, not {INDEXES}"
        if template["Resources"][name].get("DeletionPolicy") != "Retain":
            yield f"{name}: is deleted with the stack"
        for part in [properties, *properties["GlobalSecondaryIndexes"]]:
            if part.get("ContributorInsightsSpecification") != INSIGHTS:
                yield f"{part.get('IndexName', name)}: Contributor Insights do not name its throttled keys"
            if part.get("OnDemandThroughput") != MAXIMA:
                yield f"{part.get('IndexName', name)}: has no maximum throughput"
    yield from unwatched(template)


def unwatched(template):
    """Checks that the table and each index has an alarm, because the metrics of a table exclude its indexes."""
    for metric in THROTTLES:
        seen = [dimensions.get("GlobalSecondaryIndexName") for dimensions in watched(template, metric) if "TableName" in dimensions]
        for index in [None, *INDEXES]:
            if index not in seen:
                yield f"{index or 'Table'}: no alarm watches its {metric}"
