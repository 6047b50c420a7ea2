"""Streams: each record with an outbox is delivered, or kept in a bucket that raises an alarm.

The parameters of Lambda's event source are described at
https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-params.html. A stream keeps records for 24 hours.
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
            yield f"{name}: its stream lacks old or new images, which the relay compares"
    for name, mapping in stream_mappings(template).items():
        yield from (f"{name}: {problem}" for problem in of_mapping(template, mapping))


def of_mapping(template, mapping):
    for wanted, value in WANTED.items():
        if mapping.get(wanted) != value:
            yield f"{wanted} is {mapping.get(wanted)}, not {value}"
    patterns = [json.loads(filter["Pattern"]) for filter in mapping.get("FilterCriteria", {}).get("Filters", [])]
    if patterns != [HAS_OUTBOX]:
        yield f"takes {patterns}, instead of rows with an outbox"
    function = target(mapping["FunctionName"])
    if function not in alarms(template, "IteratorAge"):
        yield f"no alarm watches how late {function} is"
    if function not in alarms(template, "DestinationDeliveryFailures"):
        yield f"no alarm watches records of {function} that the bucket refuses"
    letters = letters_of_stream(template, mapping)
    if letters not in of_type(template, "AWS::SQS::Queue"):
        yield f"DEAD_LETTERS_URLS of {function} lacks a queue for unreadable records"
    yield from of_destination(template, mapping, letters)


def of_destination(template, mapping, letters):
    bucket = target(mapping.get("DestinationConfig", {}).get("OnFailure", {}).get("Destination"))
    properties = of_type(template, "AWS::S3::Bucket").get(bucket)
    if properties is None:
        return (yield "no bucket keeps undelivered records. A queue would only keep their position")
    if not all(properties.get("PublicAccessBlockConfiguration", {}).get(setting) for setting in ("BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets")):
        yield f"{bucket} is public"
    announces = properties.get("NotificationConfiguration", {}).get("EventBridgeConfiguration")
    rules = of_type(template, "AWS::Events::Rule").values()
    notified = {target(to["Arn"]) for rule in rules if rule["EventPattern"]["source"] == ["aws.s3"] for to in rule["Targets"]}
    if not announces or letters not in notified:
        yield f"no message reports objects in {bucket}"
