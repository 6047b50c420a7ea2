"""Alarms: each watches the right values and notifies the operators. An alarm for a low value is also raised without data.

https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
"""

import re

from .resources import of_type

TOPIC = {"Ref": "AlarmTopic"}
# When each alarm is raised: the number of periods, the length of a period, and the comparison. Names are parameters.
RAISED = {
    "BouncesAlarm": "1 x 3600 s: Average(Reputation.BounceRate) > 0.03",
    "CanaryAlarm": "2 x 300 s: Sum(Errors) > 0",
    "ClientErrorsAlarm": "3 x 300 s: IF(Sum(Count) > 100, 100 * Sum(4xx) / Sum(Count), 0) > ClientErrorsPercent",
    "ComplaintsAlarm": "1 x 3600 s: Average(Reputation.ComplaintRate) > 0.0005",
    "ConcurrencyAlarm": "3 x 60 s: IF(FILL(Sum(Throttles), 0) > 0, 100, 100 * Maximum(ConcurrentExecutions) / ${AccountConcurrency}) > 80",
    "DeploymentAlarm": "1 x 60 s: IF(FILL(Sum(Errors), 0) + FILL(Sum(FailedMessages), 0) > 5, 100, IF(FILL(Sum(5xx), 0) > 5, 100 * Sum(5xx) / Sum(Count), 0)) > ServerErrorsPercent",
    "NoRequestsAlarm": "NoRequestsMinutes x 60 s: Sum(Count) < 1",
    "ServerErrorsAlarm": "1 x 300 s: IF(Sum(5xx) > 5, 100 * Sum(5xx) / Sum(Count), 0) > ServerErrorsPercent",
    "SlowAlarm": "3 x 300 s: p99(Latency) > SlowMillis",
}
OPERATORS = {"GreaterThanThreshold": ">", "LessThanThreshold": "<"}


def problems(template):
    for name, alarm in of_type(template, "AWS::CloudWatch::Alarm").items():
        if not name.endswith("Alarm"):
            yield f"{name}: its name does not end with Alarm, so runbook.py does not find it"
        if alarm.get("AlarmActions") != [TOPIC]:
            yield f"{name}: notifies no operator"
        if alarm["ComparisonOperator"] == "LessThanThreshold" and alarm.get("TreatMissingData") != "breaching":
            yield f"{name}: is not raised if there is no data"
        if name in RAISED and raised(alarm) != RAISED[name]:
            yield f"{name}: is raised by {raised(alarm)}, not by {RAISED[name]}"


def raised(alarm):
    """Returns when an alarm is raised, in the form of `RAISED`."""
    queries = alarm.get("Metrics", [])
    metrics = {query["Id"]: query["MetricStat"] for query in queries if "MetricStat" in query}
    expressions = " ".join(plain(query["Expression"]) for query in queries if "Expression" in query)
    watched = re.sub(r"\w+", lambda word: figure(metrics[word[0]]) if word[0] in metrics else word[0], expressions) or figure(alarm)
    seconds = ", ".join(sorted({str(part["Period"]) for part in metrics.values() or [alarm]}))
    limit = f"{OPERATORS[alarm['ComparisonOperator']]} {plain(alarm['Threshold'])}"
    return f"{plain(alarm['EvaluationPeriods'])} x {seconds} s: {watched} {limit}"


def figure(part):
    """Returns the statistic and the metric of an alarm or of a part of its expression."""
    statistic = part.get("Stat") or part.get("Statistic") or part.get("ExtendedStatistic")
    return f"{statistic}({part.get('Metric', part).get('MetricName')})"


def plain(value):
    """Returns the name in a `Ref`, the text of a `Fn::Sub`, or the value itself."""
    return str(next(iter(value.values())) if isinstance(value, dict) else value)
