"""The table: kept safe, with the indexes that the code knows."""

from .resources import of_type

WANTED = {
    "BillingMode": "PAY_PER_REQUEST",
    "DeletionProtectionEnabled": True,
    "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True},
    "SSESpecification": {"SSEEnabled": True},
    "TimeToLiveSpecification": {"AttributeName": "ttl", "Enabled": True},
}
INDEXES = ["gsi1", "gsi2", "gsi3"]


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
