"""Schedules: valid expressions, time zones, targets and rights.

https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
"""

import json
import re
import zoneinfo

import botocore.exceptions
import botocore.session

from .queues import letters_of
from .resources import alarms, many, of_type, target

RATE = re.compile(r"rate\((\d+) (minutes?|hours?|days?)\)")
CRON = re.compile(r"cron\((.+)\)")
CRON_HOURLY = re.compile(r"cron\(\d+ \* \* \* \? \*\)")
UNIVERSAL = re.compile(r"arn:\$\{AWS::Partition\}:scheduler:::aws-sdk:(\w+):(\w+)")
MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split()
DAYS = "SUN MON TUE WED THU FRI SAT".split()
FIELDS = (
    ("minutes", range(60), ()),
    ("hours", range(24), ()),
    ("day of the month", range(1, 32), ()),
    ("month", range(1, 13), MONTHS),
    ("day of the week", range(1, 8), DAYS),
    ("year", range(1970, 2200), ()),
)


def problems(template):
    for name, schedule in of_type(template, "AWS::Scheduler::Schedule").items():
        found = [expression(schedule["ScheduleExpression"]), zone(schedule), *universal(template, schedule["Target"])]
        yield from (f"{name}: {problem}" for problem in found if problem)
        yield from (f"{name}: {problem}" for problem in role(template, schedule["Target"]))
        group = target(schedule.get("GroupName"))
        for metric in ("InvocationAttemptCount", "TargetErrorCount"):
            if group is None or group not in alarms(template, metric):
                yield f"{name}: no alarm watches the {metric} of its group"
    yield from missed(template)


def missed(template):
    """Checks that an alarm is raised if one schedule of a group does not run. A run can fall into the next hour."""
    thresholds = {
        target(alarm["Dimensions"][0]["Value"]): alarm["Threshold"]
        for alarm in of_type(template, "AWS::CloudWatch::Alarm").values() if alarm.get("MetricName") == "InvocationAttemptCount"
    }
    groups = {}
    for schedule in of_type(template, "AWS::Scheduler::Schedule").values():
        runs, jitter = per_hour(schedule["ScheduleExpression"])
        if runs:
            groups.setdefault(target(schedule.get("GroupName")), []).append((runs, jitter))
    for group, each in groups.items():
        total, jitter = sum(runs for runs, _ in each), sum(jitter for _, jitter in each)
        most, least = total - jitter, total - min(runs for runs, _ in each) + jitter
        if group in thresholds and not least < thresholds[group] <= most:
            yield f"{group}: its alarm for missed runs has the threshold {thresholds[group]}, not {int(least) + 1} to {int(most)}"


def per_hour(text):
    """Returns the runs per hour, and how many of these runs can fall into another hour. Returns 0 for rarer schedules."""
    if CRON_HOURLY.fullmatch(text):
        return 1, 0
    if (rate := RATE.fullmatch(text)) and rate[2].startswith("minute"):
        return 60 / max(1, int(rate[1])), 1
    return 0, 0


def expression(text):
    if rate := RATE.fullmatch(text):
        number, unit = int(rate[1]), rate[2]
        return None if number > 0 and (number == 1) != unit.endswith("s") else f"{text} is not a valid rate"
    if cron := CRON.fullmatch(text):
        return cron_problem(text, cron[1].split())
    return f"{text} is neither a rate of minutes, hours or days nor a cron"


def cron_problem(text, parts):
    if len(parts) != len(FIELDS):
        return f"{text} has {len(parts)} fields, not {len(FIELDS)}"
    if (parts[2] == "?") == (parts[4] == "?"):
        return f"{text}: either the day of the month or that of the week is ?"
    for part, (field, numbers, names) in zip(parts, FIELDS):
        if not all(fits(piece, numbers, names) for piece in part.split(",")):
            return f"{text}: {part} is not a valid {field}"
    return None


def fits(item, numbers, names):
    item, _, step = item.partition("/")
    if step and not (step.isdigit() and int(step) > 0):
        return False
    return item in ("*", "?", "L") or all(
        end in names or (end.isdigit() and int(end) in numbers) for end in item.split("-")
    )


def zone(schedule):
    name = schedule.get("ScheduleExpressionTimezone", "UTC")
    return None if name in zoneinfo.available_timezones() else f"{name} is not a time zone"


def universal(template, aim):
    """Checks that a target is a queue, or an action of AWS with valid input."""
    arn = aim["Arn"].get("Fn::Sub", "") if isinstance(aim["Arn"], dict) else aim["Arn"]
    if "aws-sdk" not in arn:
        if target(aim["Arn"]) not in of_type(template, "AWS::SQS::Queue"):
            yield f"{aim['Arn']} is not a queue"
        return
    if not (match := UNIVERSAL.fullmatch(arn)):
        yield f"{arn} is not an action of the AWS SDK"
        return
    service, action = match.groups()
    try:
        model = botocore.session.get_session().get_service_model(service)
    except botocore.exceptions.UnknownServiceError:
        yield f"there is no service {service}"
        return
    operation = action[:1].upper() + action[1:]
    if action[:1].isupper() or operation not in model.operation_names:
        yield f"{service} has no action {action}"
        return
    yield from request(model.operation_model(operation).input_shape, aim["Input"])


def request(shape, given):
    fields = json.loads(given["Fn::Sub"] if isinstance(given, dict) else given)
    yield from (f"its input has no field {field}" for field in fields if field not in shape.members)
    yield from (f"its input lacks {field}" for field in shape.required_members if field not in fields)


def role(template, aim):
    """Checks that the role of a schedule may send to its queue, and nothing else."""
    given = aim.get("Input", "")
    sub = re.search(r"\"QueueUrl\":\"\$\{(\w+)\}\"", given["Fn::Sub"]) if isinstance(given, dict) else None
    queue = sub[1] if sub else target(aim["Arn"])
    granted = set()
    for policy in of_type(template, "AWS::IAM::Role").get(target(aim["RoleArn"]), {}).get("Policies", []):
        for statement in policy["PolicyDocument"]["Statement"]:
            granted |= {(a, target(r)) for a in many(statement["Action"]) for r in many(statement["Resource"])}
    if granted != {("sqs:SendMessage", queue), ("sqs:SendMessage", letters_of(aim))}:
        yield f"its role may do {sorted(granted, key=str)}, instead of sending to {queue}"
