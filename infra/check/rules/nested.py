"""The nested templates: backups, CloudFront and WAF."""

from . import backups, buckets
from .resources import of_type

# Without an entry, CloudFront caches the error for 10 seconds:
# https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html
ERRORS_OF_FILES = {403, 404, 500, 502, 503, 504}
ERRORS = ERRORS_OF_FILES | {400, 405, 414, 416, 501}


def problems(template):
    yield from buckets.problems(template)
    yield from backups.of_plans(template)
    for name, properties in of_type(template, "AWS::CloudFront::Distribution").items():
        yield from (f"{name}: {problem}" for problem in of_distribution(properties["DistributionConfig"]))
    for name, properties in of_type(template, "AWS::WAFv2::WebACL").items():
        for it in [properties, *properties["Rules"]]:
            if it["VisibilityConfig"]["CloudWatchMetricsEnabled"] is not True:
                yield f"{it.get('Name', name)}: has no metrics"


def of_distribution(config):
    origins = {it["Id"]: it for it in config["Origins"]}
    wanted = ERRORS if "api" in origins else ERRORS_OF_FILES
    uncached = {it["ErrorCode"] for it in config.get("CustomErrorResponses", []) if it["ErrorCachingMinTTL"] == 0}
    for code in sorted(wanted - uncached):
        yield f"caches the error {code}"
    if not config.get("Logging", {}).get("Bucket"):
        yield "has no access log"
    for name, origin in origins.items():
        if "S3OriginConfig" in origin and "OriginAccessControlId" not in origin:
            yield f"{name} is read without origin access control"
    if "api" in origins and not config["DefaultCacheBehavior"].get("FunctionAssociations"):
        yield "does not forward the address of the viewer"
