"""Sets the warm throughput of a stack's table and indexes to the need of infra/CAPACITY.md.

    warm.py --stack social-prod

Prints the price, and asks first. The price per unit is that of an hour of provisioned capacity in us-east-1. Compare it
with https://aws.amazon.com/dynamodb/pricing/on-demand/ before you agree.
"""

import argparse
import json
import pathlib
import sys

WRITE_DOLLARS, READ_DOLLARS = 0.00065, 0.00013
INDEXES = ("gsi1", "gsi2", "gsi3")
# https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput.html
NEW = {"ReadUnitsPerSecond": 12_000, "WriteUnitsPerSecond": 4_000}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stack", required=True)
    options = parser.parse_args()
    # Imported here, so that the tests of the price do not need boto3.
    import boto3

    [stack] = boto3.client("cloudformation").describe_stacks(StackName=options.stack)["Stacks"]
    [table] = [output["OutputValue"] for output in stack["Outputs"] if output["OutputKey"] == "TableName"]
    client = boto3.client("dynamodb")
    now = warm_now(client.describe_table(TableName=table)["Table"])
    wanted = needed()
    print(f"{table}: {json.dumps(now)}")
    print(f"Raising the table and each index to {json.dumps(wanted)} costs {price(now, wanted):.2f} dollars once.")
    print("Warm throughput cannot be lowered again.")
    if price(now, wanted) == 0:
        sys.exit("nothing to change")
    if input("Continue? (yes) ") != "yes":
        sys.exit("nothing was changed")
    client.update_table(**update(table, now, wanted))


def needed():
    """Returns the units per second of the need in the table of infra/CAPACITY.md."""
    rows = (pathlib.Path(__file__).parent.parent / "CAPACITY.md").read_text().splitlines()
    needs = {cells[1].strip(): cells[2].split()[0] for cells in (row.split("|") for row in rows) if len(cells) > 7}
    return {"ReadUnitsPerSecond": number(needs["table, reads"]), "WriteUnitsPerSecond": number(needs["table, writes"])}


def number(text):
    return int(text.replace(",", ""))


def warm_now(table):
    """Returns the warm throughput of the table and of each index, by name."""
    parts = {"table": table} | {it["IndexName"]: it for it in table.get("GlobalSecondaryIndexes", [])}
    return {name: {unit: it.get("WarmThroughput", NEW)[unit] for unit in NEW} for name, it in parts.items()}


def raised(now, wanted):
    return {unit: max(now[unit], wanted[unit]) for unit in NEW}


def price(now, wanted):
    """Returns the price in dollars of raising the warm throughput from `now` to `wanted`."""
    dollars = {"ReadUnitsPerSecond": READ_DOLLARS, "WriteUnitsPerSecond": WRITE_DOLLARS}
    return sum((raised(it, wanted)[unit] - it[unit]) * dollars[unit] for it in now.values() for unit in NEW)


def update(table, now, wanted):
    indexes = [{"Update": {"IndexName": name, "WarmThroughput": raised(now[name], wanted)}} for name in INDEXES if raised(now[name], wanted) != now[name]]
    changes = {"GlobalSecondaryIndexUpdates": indexes} if indexes else {}
    return {"TableName": table, "WarmThroughput": raised(now["table"], wanted), **changes}


if __name__ == "__main__":
    main()
