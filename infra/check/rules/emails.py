"""Emails: SES reports bounces and complaints, and an alarm is raised before SES reviews the account.

https://docs.aws.amazon.com/ses/latest/dg/monitor-sending-using-event-publishing-setup.html
"""

from .resources import functions, of_type, target

# The rates at which SES reviews an account:
# https://docs.aws.amazon.com/ses/latest/dg/reputationdashboard-cloudwatch-alarm.html
REVIEWED = {"Reputation.BounceRate": 0.05, "Reputation.ComplaintRate": 0.001}
EVENTS = {"bounce", "complaint"}


def problems(template):
    sets = of_type(template, "AWS::SES::ConfigurationSet")
    reported = events(template)
    for name, properties in sets.items():
        if not properties.get("ReputationOptions", {}).get("ReputationMetricsEnabled"):
            yield f"{name}: has no metrics of bounces and complaints"
        for event in sorted(EVENTS - reported.get(name, set())):
            yield f"{name}: does not report the event {event}"
    for name, properties in functions(template).items():
        variables = (properties.get("Environment") or {}).get("Variables") or {}
        if "MAIL_EVENTS" in variables and variables["MAIL_EVENTS"] not in [each["Name"] for each in sets.values()]:
            yield f"{name}: MAIL_EVENTS is no configuration set of the stack"
    for metric, rate in REVIEWED.items():
        if not any(threshold < rate for threshold in thresholds(template, metric)):
            yield f"no alarm watches {metric} below {rate}, where SES reviews the account"


def events(template):
    """Returns the events that each configuration set sends to EventBridge."""
    found = {}
    for properties in of_type(template, "AWS::SES::ConfigurationSetEventDestination").values():
        destination = properties["EventDestination"]
        if destination["Enabled"] and "EventBridgeDestination" in destination:
            found.setdefault(target(properties["ConfigurationSetName"]), set()).update(destination["MatchingEventTypes"])
    return found


def thresholds(template, metric):
    alarms = of_type(template, "AWS::CloudWatch::Alarm").values()
    return [alarm["Threshold"] for alarm in alarms if alarm.get("MetricName") == metric and alarm.get("AlarmActions")]
