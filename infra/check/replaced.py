"""Says what a deployment of the template would delete, replace or refuse, after the last release.

    replaced.py OLD NEW ACCEPTED

OLD and NEW are SAM templates; each line of ACCEPTED is a finding that is meant to be, word for word. Exits with 1 where a
finding is not accepted, and where something is accepted that is not there.
"""

import pathlib
import sys

from accepted import judge

# Another value of one of these makes CloudFormation replace the resource: the new one is empty.
REPLACING = {
    "AWS::DynamoDB::Table": ("TableName", "KeySchema", "LocalSecondaryIndexes", "ImportSourceSpecification"),
    "AWS::SQS::Queue": ("QueueName", "FifoQueue"),
    "AWS::S3::Bucket": ("BucketName", "BucketNamePrefix", "BucketNamespace"),
    "AWS::SecretsManager::Secret": ("Name",),
    "AWS::KMS::Key": (),
    "AWS::Logs::LogGroup": ("LogGroupName",),
}
HELD = {
    "AWS::DynamoDB::Table": "rows",
    "AWS::SQS::Queue": "messages",
    "AWS::S3::Bucket": "files",
    "AWS::SecretsManager::Secret": "value",
    "AWS::KMS::Key": "key material",
    "AWS::Logs::LogGroup": "lines",
}


def compare(old, new):
    """What of the old template's resources a deployment of the new one loses, in sentences."""
    found = []
    for name, resource in old["Resources"].items():
        kind = resource["Type"]
        if kind in REPLACING:
            after = new["Resources"].get(name)
            found += changed(name, resource, after) if after and after["Type"] == kind else [gone(name, resource)]
    return found


def gone(name, resource):
    if resource.get("DeletionPolicy") == "Retain":
        return f"{name}: leaves the stack, and stays with its {HELD[resource['Type']]}, which nobody uses"
    return f"{name}: is deleted with its {HELD[resource['Type']]}"


def changed(name, old, new):
    kind, before, after = old["Type"], old.get("Properties", {}), new.get("Properties", {})
    if old.get("Condition") != new.get("Condition"):
        yield f"{name}: has another condition: where that does not hold, it is deleted with its {HELD[kind]}"
    for field in REPLACING[kind]:
        if before.get(field) != after.get(field):
            yield f"{name}: {field} is another one, so it is replaced by one without its {HELD[kind]}"
    if kind == "AWS::SecretsManager::Secret" and generated(before) != generated(after):
        yield f"{name}: is generated otherwise, so it is generated anew"
    if kind == "AWS::DynamoDB::Table":
        yield from of_table(name, before, after)


def generated(secret):
    return secret.get("GenerateSecretString")


def of_table(name, old, new):
    types, kept = types_of(new), types_of(old)
    for attribute in sorted(kept.keys() & types.keys()):
        if kept[attribute] != types[attribute]:
            yield f"{name}: {attribute} is of another type, so it is replaced by one without its rows"
    if old.get("StreamSpecification") != new.get("StreamSpecification"):
        yield f"{name}: its stream is another one, and what the old one has not told is not told"
    yield from of_indexes(name, indexes(old), indexes(new))


def types_of(table):
    return {it["AttributeName"]: it["AttributeType"] for it in table.get("AttributeDefinitions", [])}


def indexes(table):
    parts = ("KeySchema", "Projection")
    return {it["IndexName"]: {part: it.get(part) for part in parts} for it in table.get("GlobalSecondaryIndexes", [])}


def of_indexes(name, old, new):
    """DynamoDB changes no index, and makes or deletes one an update; it takes hours for a large table."""
    for index in sorted(old.keys() - new.keys()):
        yield f"{name}: {index} is deleted while code may still ask it"
    for index in sorted(old.keys() & new.keys()):
        if old[index] != new[index]:
            yield f"{name}: {index} is another index of the same name, which DynamoDB refuses: give it another name"
    if len(old.keys() ^ new.keys()) > 1:
        yield f"{name}: more than one index comes or goes, and DynamoDB takes one an update"


def main(old, new, accepted):
    import sam

    before, after = (sam.translate(sam.read(pathlib.Path(path).read_text())) for path in (old, new))
    return judge(compare(before, after), accepted, "a deployment loses data")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
