"""Requests and events call an alias of a function, and an alarm rolls a failing version back.

https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/automating-updates-to-serverless-apps.html
"""

import json
import re

from .queues import senders
from .resources import functions, inherited, of_type, target

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
    named = [alarm for alarm in of_type(template, "AWS::CloudWatch::Alarm").values() if alarm.get("AlarmName") == ALARM]
    seen = {(query["MetricStat"]["Metric"]["Namespace"], query["MetricStat"]["Metric"]["MetricName"]) for alarm in named for query in alarm["Metrics"] if "MetricStat" in query}
    for namespace, metric in sorted(WATCHED - seen):
        yield f"the alarm that rolls deployments back does not watch {metric} of {namespace}"
    for alarm in named:
        expressions = " ".join(str(query.get("Expression", "")) for query in alarm["Metrics"])
        for name in (query["Id"] for query in alarm["Metrics"] if "MetricStat" in query):
            if name not in re.findall(r"\w+", expressions):
                yield f"the alarm that rolls deployments back ignores {name}"


def translated_problems(template):
    """Checks that calls of a function with an alias name the alias. SAM adds permissions and integrations."""
    published = {target(alias["FunctionName"]) for alias in of_type(template, "AWS::Lambda::Alias").values()}
    for name, called in calls(template):
        named = template["Resources"].keys() & references(called)
        if not named or named & published:
            yield f"{name}: does not call the alias of its function"


def calls(template):
    """Yields each resource or route that calls a function, and the value that names the function."""
    for kind in ("AWS::Lambda::Permission", "AWS::Lambda::EventSourceMapping"):
        yield from ((name, it["FunctionName"]) for name, it in of_type(template, kind).items())
    yield from ((name, it["IntegrationUri"]) for name, it in of_type(template, "AWS::ApiGatewayV2::Integration").items())
    for api, properties in of_type(template, "AWS::ApiGatewayV2::Api").items():
        for path, methods in properties.get("Body", {}).get("paths", {}).items():
            yield from ((f"{api} {path}", it["x-amazon-apigateway-integration"]["uri"]) for it in methods.values())
    # A schedule that calls an action of AWS names the queue or the function in its input.
    yield from ((name, [aim["Arn"], aim.get("Input")]) for name, aim in senders(template).items())


def references(value):
    """Returns the names in each `Ref`, `Fn::GetAtt` and `Fn::Sub` of a value."""
    return set(re.findall(r'(?:"Ref": "|"Fn::GetAtt": \[?"|\$\{)(\w+)', json.dumps(value)))
