"""Compares the quotas of an account with the quotas that a launch needs. Prints commands that request missing quotas.

    quotas.py

The exit status is 1 if a quota is missing. infra/CAPACITY.md explains the quotas.
"""

import json
import pathlib
import sys

WANTED = json.loads((pathlib.Path(__file__).parent / "quotas.json").read_text())


def main():
    granted = {name: of_account(it["service"], it["code"]) for name, it in WANTED.items()}
    lines, is_enough = compared(WANTED, granted)
    print("\n".join(lines))
    sys.exit(0 if is_enough else 1)


def of_account(service, code):
    """Returns the quota of the account, or `None` if it never requested a change of the initial quota."""
    # Imported here, so that the comparison can be tested without it.
    import boto3
    from botocore.exceptions import ClientError

    try:
        return boto3.client("service-quotas").get_service_quota(ServiceCode=service, QuotaCode=code)["Quota"]["Value"]
    except ClientError as error:
        if error.response["Error"]["Code"] == "NoSuchResourceException":
            return None
        raise


def compared(wanted, granted):
    """Returns lines to print, and whether all quotas are granted."""
    lines, is_enough = [], True
    for name, quota in wanted.items():
        has = int(granted[name] or quota["first"])
        lines.append(f"{name}: {has:,} of {quota['wanted']:,}")
        if has < quota["wanted"]:
            is_enough = False
            lines.append(
                f"  aws service-quotas request-service-quota-increase --service-code {quota['service']}"
                f" --quota-code {quota['code']} --desired-value {quota['wanted']}"
            )
    return lines, is_enough


if __name__ == "__main__":
    main()
