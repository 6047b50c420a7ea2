"""Restores a stack's table, as it was at a time in the last 35 days, to a new table.

    restore.py --stack social-prod [--at 2026-11-22T10:00:00Z]
    restore.py --stack social-prod --table NAME

With --table, prepares a table that AWS Backup has already restored. Prints the stack parameters for the new table,
which are its name and its stream. The old table stays.
"""

import argparse
import datetime
import json
import time

import boto3
from botocore.exceptions import ClientError

ASK_AGAIN_SECONDS = 2
PATIENCE_SECONDS = 6 * 60 * 60
# Errors of a restored table that is not ready yet.
NOT_YET = {"ContinuousBackupsUnavailableException", "LimitExceededException", "ResourceInUseException", "ResourceNotFoundException"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stack", required=True)
    parser.add_argument("--at", type=datetime.datetime.fromisoformat, help="default: the latest restorable time")
    parser.add_argument("--table", help="name of a table that AWS Backup restored")
    options = parser.parse_args()
    parameters = prepare(options.table) if options.table else restore(options.stack, options.at)
    print(json.dumps(parameters, indent=2))


def restore(stack, at=None):
    """Restores the table with point-in-time recovery. Returns the stack parameters for the new table."""
    name = f"{stack}-{datetime.datetime.now(datetime.timezone.utc):%Y%m%d-%H%M%S}"
    moment = {"RestoreDateTime": at} if at else {"UseLatestRestorableTime": True}
    boto3.client("dynamodb").restore_table_to_point_in_time(SourceTableName=served(stack), TargetTableName=name, **moment)
    return prepare(name)


def prepare(name):
    """Turns on the settings that a restore omits. Returns the stack parameters for the table."""
    dynamodb = boto3.client("dynamodb")
    until(lambda: active(dynamodb, name))
    forgets = {"Enabled": True, "AttributeName": "ttl"}
    until(lambda: dynamodb.update_time_to_live(TableName=name, TimeToLiveSpecification=forgets))
    recovers = {"PointInTimeRecoveryEnabled": True}
    until(lambda: dynamodb.update_continuous_backups(TableName=name, PointInTimeRecoverySpecification=recovers))
    until(lambda: dynamodb.update_table(TableName=name, DeletionProtectionEnabled=True))
    images = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
    until(lambda: dynamodb.update_table(TableName=name, StreamSpecification=images))
    until(lambda: active(dynamodb, name))
    stream = dynamodb.describe_table(TableName=name)["Table"]["LatestStreamArn"]
    return {"RestoredTable": name, "RestoredStream": stream}


def served(stack):
    """Returns the name of the table that the stack uses now."""
    [stack] = boto3.client("cloudformation").describe_stacks(StackName=stack)["Stacks"]
    return {output["OutputKey"]: output["OutputValue"] for output in stack["Outputs"]}["TableName"]


def active(dynamodb, name):
    """Returns whether the table and its indexes are active."""
    table = dynamodb.describe_table(TableName=name)["Table"]
    parts = [table["TableStatus"], *(index["IndexStatus"] for index in table.get("GlobalSecondaryIndexes", []))]
    return all(status == "ACTIVE" for status in parts)


def until(step):
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        try:
            if step():
                return
        except ClientError as error:
            if error.response["Error"]["Code"] not in NOT_YET:
                raise
        time.sleep(ASK_AGAIN_SECONDS)
    raise TimeoutError("the table is not ready")


if __name__ == "__main__":
    main()
