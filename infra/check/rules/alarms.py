"""Alarms: each notifies the operators. An alarm for a low value is also raised if there is no data.

https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
"""

from .resources import of_type

TOPIC = {"Ref": "AlarmTopic"}


def problems(template):
    for name, alarm in of_type(template, "AWS::CloudWatch::Alarm").items():
        if alarm.get("AlarmActions") != [TOPIC]:
            yield f"{name}: notifies no operator"
        if alarm["ComparisonOperator"] == "LessThanThreshold" and alarm.get("TreatMissingData") != "breaching":
            yield f"{name}: is not raised if there is no data"
