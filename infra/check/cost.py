"""Computes the monthly cost of an idle stack in dollars, for each parameter file.

    cost.py target/template.json

Prices are those of us-east-1, without free tiers. shared/KEYS.md has costs that depend on use: requests, units, storage.
A stack with FrontEnabled also has CloudFront and a web ACL. Backups cost nothing without data, so they are priced
apart. Distributions, CodeDeploy, queues, rules, the bus, roles and budgets are free of charge.
"""

import json
import pathlib
import sys

import conditions
import sam
from rules.resources import mappings, of_type

ROOT = pathlib.Path(__file__).parent.parent.parent
# For each stage: the maximum cost in dollars a month, and parameters in addition to those in its file.
MOST = {"dev": (20, {}), "prod": (30, {})}
MINUTES = 365.25 / 12 * 24 * 60

# https://aws.amazon.com/cloudwatch/pricing/
ALARM_METRIC = 0.10
METRIC = 0.30
INSIGHTS_RULE = 0.50
DASHBOARD = 3.00
LOGS_GB = 0.50
# https://aws.amazon.com/dynamodb/pricing/on-demand/: point-in-time recovery does not store indexes.
STORED_GB, RECOVERY_GB = 0.25, 0.20
# Bytes that DynamoDB adds to each row and each entry of an index:
# https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
ROW_OVERHEAD = 100
# Rows of a year, as (rows, bytes of a row, indexes): shared/KEYS.md. Each index has a copy, because it projects ALL.
# A post is in the list of its author and in the feed, and one in ten has a hashtag. It has 20 indexed words.
OF_A_POST = [(1, 1_100, 2.1), (20, 150, 0)]
# A user has an account with its unique names, writes 60 posts, likes 500, follows 100 and gets 300 notifications.
OF_A_USER = [(1, 1_500, 1), (2, 100, 0), (3, 400, 0), (500, 150, 0), (100, 300, 2), (300, 700, 1)]
POSTS_OF_A_USER = 60
# https://aws.amazon.com/backup/pricing/: each backup of a table is a full copy. A backup of a bucket stores only changes.
TABLE_BACKUP_GB, BUCKET_BACKUP_GB, COPIED_GB = 0.10, 0.05, 0.02
BACKUPS_PER_MONTH = 365.25 / 12
# https://aws.amazon.com/waf/pricing/
WEB_ACL, WEB_ACL_RULE = 5.00, 1.00
# https://aws.amazon.com/secrets-manager/pricing/
SECRET = 0.40
# https://aws.amazon.com/api-gateway/pricing/
GATEWAY_REQUEST = 1.00 / 1e6
WRITE_UNIT, READ_UNIT = 0.625 / 1e6, 0.125 / 1e6
# https://aws.amazon.com/sqs/pricing/, https://aws.amazon.com/lambda/pricing/ (arm64),
# https://aws.amazon.com/eventbridge/pricing/
QUEUE_REQUEST = 0.40 / 1e6
INVOCATION = 0.20 / 1e6
GB_SECOND = 0.0000133334
SCHEDULED = 1.00 / 1e6

# Lambda starts five pollers per queue, which each wait 20 seconds for a message:
# https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
POLLS_PER_MINUTE = 5 * 60 / 20
# The two rules of the mode THROTTLED_KEYS: the partition key, and the partition and sort key.
RULES_OF_A_KEY = 2
# Measured duration and log size of a tick without work.
TICKS_PER_MINUTE = 60 / 40
TICK_GB_SECONDS = 1.769 * 0.030
TICK_LOG_GB = 0.4e-6
# Duration of the check for due work each minute. Its reads of the table are in KEYS.md.
LOOK_GB_SECONDS = 0.256 * 0.030
# The canary runs every 5 minutes. Its 5 requests consume these units: sign-in from a new address, three for a draft, sign-out.
# The sign-in takes 0.3 seconds of a function with 1 GB.
CANARY_RUNS_PER_MINUTE = 1 / 5
CANARY_REQUESTS, CANARY_WRITES, CANARY_READS = 5, 41, 15
CANARY_GB_SECONDS = 0.256 * 2 + 1.0 * 0.3 + 4 * 0.256 * 0.03
# The size of a tick: shared/platform/src/metrics.rs. The judge records its time only when it judges.
METRICS = 1


def main(path):
    template = json.loads(pathlib.Path(path).read_text())
    for stage, (most, _) in MOST.items():
        lines = dict(of_stage(template, stage))
        print(f"{stage}:")
        for what, dollars in lines.items():
            print(f"{dollars:6.2f}  {what}")
        print(f"{sum(lines.values()):6.2f}  dollars a month, at most {most:.2f} allowed")
    print("\n".join([*storage(), canary()]))


def idle(template):
    """Returns the costs of an idle stack by parameter file, as a part of a sentence. infra/OPERATING.md has it, too."""
    dev, prod = (total(template, stage) for stage in MOST)
    return f"{dev:.2f} dollars a month with `dev.json`, and {prod:.2f} with `prod.json`"


def total(template, stage):
    return sum(dollars for _, dollars in of_stage(template, stage))


def problems(template):
    for stage, (most, _) in MOST.items():
        if total(template, stage) > most:
            yield f"an idle stack costs {total(template, stage):.2f} dollars a month in {stage}, more than {most:.2f}: see cost.py"


def of_stage(template, stage):
    """Yields each item that a stage pays for, and its price in dollars."""
    file = json.loads((ROOT / f"infra/parameters/{stage}.json").read_text())
    return costs(conditions.existing(template, file | MOST[stage][1]))


def costs(template):
    alarms = sum(map(metrics, of_type(template, "AWS::CloudWatch::Alarm").values()))
    yield f"{alarms} metrics of alarms", alarms * ALARM_METRIC
    yield "the dashboard", DASHBOARD
    yield f"{METRICS} custom metric", METRICS * METRIC
    queues = len(mappings(template))
    yield f"polls of {queues} queues", queues * POLLS_PER_MINUTE * MINUTES * QUEUE_REQUEST
    secrets = len(of_type(template, "AWS::SecretsManager::Secret"))
    yield f"{secrets} secrets", secrets * SECRET
    ticks = TICKS_PER_MINUTE * MINUTES
    tick = INVOCATION + TICK_GB_SECONDS * GB_SECOND + SCHEDULED + 4 * QUEUE_REQUEST + TICK_LOG_GB * LOGS_GB
    yield "ticks without work: invocations, logs", ticks * tick
    look = INVOCATION + LOOK_GB_SECONDS * GB_SECOND + SCHEDULED + 3 * QUEUE_REQUEST + TICK_LOG_GB * LOGS_GB
    yield "checks for due work without work: invocations, logs", MINUTES * look
    keys = sum(map(watched_keys, of_type(template, "AWS::DynamoDB::Table").values()))
    if keys:
        yield f"NameHotKeys: {keys} keys with Contributor Insights", keys * RULES_OF_A_KEY * INSIGHTS_RULE
    if "FrontAcl" in template["Resources"]:
        yield "the web ACL, with one rule", WEB_ACL + WEB_ACL_RULE


def storage():
    """Returns the cost of a year of stored data, as sentences. infra/OPERATING.md has the same sentences."""
    user = [*OF_A_USER, *((POSTS_OF_A_USER * rows, size, indexes) for rows, size, indexes in OF_A_POST)]
    for what, rows, times in (("1,000 posts", OF_A_POST, 1_000), ("1,000 users with their posts", user, 1_000)):
        stored, recovery = a_year(rows)
        yield f"{what} cost {stored * times:.2f} dollars a year to store, and {recovery * times:.2f} dollars for point-in-time recovery"
    table = sum(backup_days()) * TABLE_BACKUP_GB + BACKUPS_PER_MONTH * COPIED_GB
    yield f"with `BackupVault`, backups cost {table:.2f} dollars a month for a GB of the table, and {2 * BUCKET_BACKUP_GB:.2f} dollars for a GB of uploads"


def backup_days():
    """Returns the number of days for which a daily backup is kept, in the stack's vault and in the other vault."""
    plans = of_type(sam.read((ROOT / "infra/backup.yaml").read_text()), "AWS::Backup::BackupPlan")
    [rule] = plans["Plan"]["BackupPlan"]["BackupPlanRule"]
    return [kept["Lifecycle"]["DeleteAfterDays"] for kept in [rule, *rule["CopyActions"]]]


def canary():
    """Returns the cost of the canary as a sentence. infra/OPERATING.md has the same sentence."""
    requests = CANARY_REQUESTS * (GATEWAY_REQUEST + INVOCATION) + CANARY_WRITES * WRITE_UNIT + CANARY_READS * READ_UNIT
    run = requests + INVOCATION + CANARY_GB_SECONDS * GB_SECOND + (CANARY_REQUESTS + 1) * TICK_LOG_GB * LOGS_GB
    runs = MINUTES * CANARY_RUNS_PER_MINUTE * run
    return f"the canary costs {runs + SECRET + ALARM_METRIC:.2f} dollars a month: {runs:.2f} for its runs, the rest for its secret and its alarm"


def a_year(rows):
    table = sum(number * (size + ROW_OVERHEAD) for number, size, _ in rows) / 1e9
    indexes = sum(number * (size + ROW_OVERHEAD) * copies for number, size, copies in rows) / 1e9
    return 12 * (table + indexes) * STORED_GB, 12 * table * RECOVERY_GB


def metrics(alarm):
    return sum("MetricStat" in metric for metric in alarm.get("Metrics", [])) or 1


def watched_keys(table):
    return sum(keyed.get("ContributorInsightsSpecification", {}).get("Enabled") is True for keyed in [table, *table["GlobalSecondaryIndexes"]])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
