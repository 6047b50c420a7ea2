"""The nested templates: backups, the canary, the dashboard with the budget, CloudFront and WAF."""

from . import alarms, backups, buckets, front, schedules
from .resources import functions, of_type, target, watched

# Without an entry, CloudFront caches the error for 10 seconds:
# https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html
ERRORS_OF_FILES = {400, 403, 404, 405, 500, 502, 503, 504}
ERRORS = ERRORS_OF_FILES | {414, 416, 501}
EXPIRY = {"Status": "Enabled", "ExpirationInDays": {"Ref": "LogRetentionDays"}}
WARNING = {
    "Notification": {"NotificationType": "FORECASTED", "ComparisonOperator": "GREATER_THAN", "Threshold": 100},
    "Subscribers": [{"SubscriptionType": "EMAIL", "Address": {"Ref": "AlarmEmail"}}],
}


def problems(template):
    yield from alarms.problems(template)
    yield from buckets.problems(template)
    yield from backups.of_plans(template)
    if of_type(template, "AWS::CloudWatch::Dashboard") and not of_type(template, "AWS::Budgets::Budget"):
        yield "no budget warns of high costs"
    for name, properties in of_type(template, "AWS::Budgets::Budget").items():
        if WARNING not in properties.get("NotificationsWithSubscribers", []):
            yield f"{name}: no email warns of a high forecast"
    for name, properties in of_type(template, "AWS::CloudFront::Distribution").items():
        yield from (f"{name}: {problem}" for problem in of_distribution(template, properties["DistributionConfig"]))
    for name, properties in functions(template).items():
        yield from of_function(template, name, properties)
    for name, properties in of_type(template, "AWS::WAFv2::WebACL").items():
        for part in [properties, *properties["Rules"]]:
            if part["VisibilityConfig"]["CloudWatchMetricsEnabled"] is not True:
                yield f"{part.get('Name', name)}: has no metrics"
            if part["VisibilityConfig"]["SampledRequestsEnabled"]:
                yield f"{part.get('Name', name)}: samples requests, whose headers contain tokens"


def of_function(template, name, properties):
    """Yields the problems of a function that a schedule starts. An alarm must report failed and missing runs."""
    rates = [event["Properties"]["Schedule"] for event in properties.get("Events", {}).values() if event["Type"] == "Schedule"]
    if not rates:
        yield f"{name}: no schedule starts it"
    if name not in {target(dimensions.get("FunctionName")) for dimensions in watched(template, "Errors")}:
        yield f"{name}: no alarm watches its Errors"
    for name_of_alarm, alarm in of_type(template, "AWS::CloudWatch::Alarm").items():
        if alarm.get("MetricName") == "Errors" and alarm.get("TreatMissingData") != "breaching":
            yield f"{name_of_alarm}: is not raised if the function does not run"
        if alarm.get("MetricName") == "Errors" and any(schedules.per_hour(rate)[0] * alarm["Period"] < 3600 for rate in rates):
            yield f"{name_of_alarm}: the function does not run in each period"
    if "RetentionInDays" not in of_type(template, "AWS::Logs::LogGroup").get(target(properties.get("LoggingConfig", {}).get("LogGroup")), {}):
        yield f"{name}: lacks its own log group with a retention"


def of_distribution(template, config):
    origins = {origin["Id"]: origin for origin in config["Origins"]}
    wanted = ERRORS if "api" in origins else ERRORS_OF_FILES
    uncached = {response["ErrorCode"] for response in config.get("CustomErrorResponses", []) if response["ErrorCachingMinTTL"] == 0}
    for code in sorted(wanted - uncached):
        yield f"caches the error {code}"
    bucket = config.get("Logging", {}).get("Bucket")
    if "api" in origins and bucket:
        yield "logs paths, which can contain secrets"
    if "api" not in origins and not bucket:
        yield "has no access log"
    expiries = backups.lifecycle(of_type(template, "AWS::S3::Bucket").get(target(bucket), {}))
    if bucket and not any(EXPIRY.items() <= rule.items() for rule in expiries):
        yield "keeps its access logs forever"
    for name, origin in origins.items():
        if "S3OriginConfig" in origin and "OriginAccessControlId" not in origin:
            yield f"{name} is read without origin access control"
    if "api" in origins:
        yield from front.problems(template, config)
