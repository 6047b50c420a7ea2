"""Finds changes of the template since the last release that delete or replace data, or that AWS refuses.

    replaced.py OLD NEW ACCEPTED

OLD and NEW are SAM templates. Each line of ACCEPTED is an accepted finding, verbatim. The exit status is 1 if a finding is
not accepted, or an accepted one was not found.
"""

import pathlib
import sys

from accepted import judge

# If one of these changes, CloudFormation replaces the resource with an empty one.
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
    """Returns what a deployment of the new template loses, as sentences."""
    found = []
    for name, resource in old["Resources"].items():
        kind = resource["Type"]
        if kind in REPLACING:
            after = new["Resources"].get(name)
            found += changed(name, resource, after) if after and after["Type"] == kind else [gone(name, resource)]
    return found


def gone(name, resource):
    if resource.get("DeletionPolicy") == "Retain":
        return f"{name}: leaves the stack and keeps its {HELD[resource['Type']]}, but nothing uses it"
    return f"{name}: is deleted with its {HELD[resource['Type']]}"


def changed(name, old, new):
    kind, before, after = old["Type"], old.get("Properties", {}), new.get("Properties", {})
    if old.get("Condition") != new.get("Condition"):
        yield f"{name}: has another condition. If it is false, the resource is deleted with its {HELD[kind]}"
    for field in REPLACING[kind]:
        if before.get(field) != after.get(field):
            yield f"{name}: {field} changed, so the resource is replaced without its {HELD[kind]}"
    if kind == "AWS::SecretsManager::Secret" and generated(before) != generated(after):
        yield f"{name}: its generation changed, so it gets a new value"
    if kind == "AWS::DynamoDB::Table":
        yield from of_table(name, before, after)


def generated(secret):
    return secret.get("GenerateSecretString")


def of_table(name, old, new):
    types, kept = types_of(new), types_of(old)
    for attribute in sorted(kept.keys() & types.keys()):
        if kept[attribute] != types[attribute]:
            yield f"{name}: the type of {attribute} changed, so the table is replaced without its rows"
    if old.get("StreamSpecification") != new.get("StreamSpecification"):
        yield f"{name}: its stream changed, so undelivered records of the old one are lost"
    yield from of_indexes(name, indexes(old), indexes(new))


def types_of(table):
    return {attribute["AttributeName"]: attribute["AttributeType"] for attribute in table.get("AttributeDefinitions", [])}


def indexes(table):
    parts = ("KeySchema", "Projection")
    return {index["IndexName"]: {part: index.get(part) for part in parts} for index in table.get("GlobalSecondaryIndexes", [])}


def of_indexes(name, old, new):
    """DynamoDB cannot change an index, and adds or removes one per update. That takes hours for a large table."""
    for index in sorted(old.keys() - new.keys()):
        yield f"{name}: {index} is deleted while code may still query it"
    for index in sorted(old.keys() & new.keys()):
        if old[index] != new[index]:
            yield f"{name}: {index} changed under the same name, which DynamoDB refuses. Choose another name"
    if len(old.keys() ^ new.keys()) > 1:
        yield f"{name}: more than one index is added or removed, but DynamoDB allows one per update"


def main(old, new, accepted):
    import sam

    before, after = (sam.translate(sam.read(pathlib.Path(path).read_text())) for path in (old, new))
    return judge(compare(before, after), accepted, "a deployment loses data")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
