"""Streams: every record that has an outbox is delivered, or kept where somebody is told of it.

The rules of Lambda's event source for streams are those of
https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-params.html; a stream forgets a record after 24 hours.
"""

import json

from .queues import letters_of_stream
from .resources import alarms, of_type, stream_mappings, target

# `exists` matches leaves only, so it names the string below the attribute:
# https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
HAS_OUTBOX = {"dynamodb": {"NewImage": {"outbox": {"S": [{"exists": True}]}}}}
WANTED = {
    "StartingPosition": "TRIM_HORIZON",
    "FunctionResponseTypes": ["ReportBatchItemFailures"],
    "BisectBatchOnFunctionError": True,
    "MaximumRetryAttempts": -1,
    "MaximumRecordAgeInSeconds": 23 * 60 * 60,
}
IMAGES = {"StreamViewType": "NEW_AND_OLD_IMAGES"}


def problems(template):
    for name, table in of_type(template, "AWS::DynamoDB::Table").items():
        if table.get("StreamSpecification") != IMAGES:
            yield f"{name}: its stream has not both images, by which the relay knows a new outbox"
    for name, mapping in stream_mappings(template).items():
        yield from (f"{name}: {problem}" for problem in of_mapping(template, mapping))


def of_mapping(template, mapping):
    for wanted, value in WANTED.items():
        if mapping.get(wanted) != value:
            yield f"{wanted} is {mapping.get(wanted)}, not {value}"
    patterns = [json.loads(it["Pattern"]) for it in mapping.get("FilterCriteria", {}).get("Filters", [])]
    if patterns != [HAS_OUTBOX]:
        yield f"takes {patterns}, not the rows that have an outbox"
    function = target(mapping["FunctionName"])
    if function not in alarms(template, "IteratorAge"):
        yield f"no alarm watches how late {function} is"
    if function not in alarms(template, "DestinationDeliveryFailures"):
        yield f"no alarm watches what the bucket does not take of {function}"
    letters = letters_of_stream(template, mapping)
    if letters not in of_type(template, "AWS::SQS::Queue"):
        yield f"{function} is not told in DEAD_LETTERS_URLS where what it cannot read goes"
    yield from of_destination(template, mapping, letters)


def of_destination(template, mapping, letters):
    bucket = target(mapping.get("DestinationConfig", {}).get("OnFailure", {}).get("Destination"))
    properties = of_type(template, "AWS::S3::Bucket").get(bucket)
    if properties is None:
        return (yield "no bucket keeps what could not be delivered: a queue would keep only where it was")
    if not all(properties.get("PublicAccessBlockConfiguration", {}).get(it) for it in ("BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets")):
        yield f"{bucket} is not closed to the public"
    announces = properties.get("NotificationConfiguration", {}).get("EventBridgeConfiguration")
    rules = of_type(template, "AWS::Events::Rule").values()
    told = {target(to["Arn"]) for rule in rules if rule["EventPattern"]["source"] == ["aws.s3"] for to in rule["Targets"]}
    if not announces or letters not in told:
        yield f"nobody is told of what comes into {bucket}"
