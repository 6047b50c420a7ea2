"""Requests and events call an alias of a function, and an alarm rolls a failing version back.

https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/automating-updates-to-serverless-apps.html
"""

import re

from .resources import all_mappings, functions, inherited, of_type

ALIAS = "live"
ALARM = {"Fn::Sub": "${AWS::StackName}-deployment"}
TYPE = {"Fn::If": ["DeployedGradually", "Canary10Percent5Minutes", "AllAtOnce"]}
# Placeholder in the template. `make deploy` replaces it by a hash: infra/deploy/parameters.py.
RELEASE = "unreleased"
# `Errors` counts only failures of whole invocations. platform/src/metrics.rs counts each failed message as FailedMessages:
# https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
WATCHED = {("AWS/Lambda", "Errors"), ("AWS/ApiGateway", "5xx"), ("Social", "FailedMessages")}


def problems(template):
    for name, properties in functions(template).items():
        preference = inherited(template, properties, "DeploymentPreference") or {}
        if inherited(template, properties, "AutoPublishAlias") != ALIAS:
            yield f"{name}: is not published as {ALIAS}, so all calls use a new version immediately"
        if preference.get("Type") != TYPE or preference.get("Alarms") != [ALARM]:
            yield f"{name}: a failing version is not rolled back"
    if template["Globals"]["Function"].get("Environment") != {"Variables": {"RELEASE": RELEASE}}:
        yield "Globals: without RELEASE, a changed parameter publishes no version"
    for name, mapping in all_mappings(template).items():
        if not mapping["FunctionName"].get("Ref", "").endswith(".Alias"):
            yield f"{name}: does not call the alias of its function"
    named = [alarm for alarm in of_type(template, "AWS::CloudWatch::Alarm").values() if alarm.get("AlarmName") == ALARM]
    seen = {(query["MetricStat"]["Metric"]["Namespace"], query["MetricStat"]["Metric"]["MetricName"]) for alarm in named for query in alarm["Metrics"] if "MetricStat" in query}
    for namespace, metric in sorted(WATCHED - seen):
        yield f"the alarm that rolls deployments back does not watch {metric} of {namespace}"
    for alarm in named:
        expressions = " ".join(str(query.get("Expression", "")) for query in alarm["Metrics"])
        for name in (query["Id"] for query in alarm["Metrics"] if "MetricStat" in query):
            if name not in re.findall(r"\w+", expressions):
                yield f"the alarm that rolls deployments back ignores {name}"
