"""Compares the quotas of an account with the quotas that a launch needs. Prints commands that request missing quotas.

    quotas.py
    quotas.py --check TEMPLATE STAGE.json

The exit status is 1 if a quota is missing. With --check, it is 1 only if the account refuses a parameter that
`make deploy` sends: a value of the stage's file, or a default of the template. infra/CAPACITY.md explains the quotas.
"""

import json
import pathlib
import sys

import parameters

WANTED = json.loads((pathlib.Path(__file__).parent / "quotas.json").read_text())
# Lambda refuses reservations that leave fewer executions to the other functions.
# https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
UNRESERVED = 100
RESERVED = ("ReservedForAuth", "ReservedForNotificationGrouping", "ReservedForRelay")


def main(*arguments):
    # Imported here, so that the tests of the comparisons do not need boto3.
    import boto3

    concurrency = boto3.client("lambda").get_account_settings()["AccountLimit"]["ConcurrentExecutions"]
    if arguments:
        [_, template, stage] = map(pathlib.Path, arguments)
        sent = parameters.merged(template.read_text(), json.loads(stage.read_text()))
        if refused := "\n".join(refusals(sent, concurrency)):
            sys.exit(refused)
        return
    granted = {name: of_account(boto3, it["service"], it["code"]) for name, it in WANTED.items()}
    lines, is_enough = compared(WANTED, granted)
    account = boto3.client("sesv2").get_account()
    print("\n".join([*lines, f"reserved concurrency: at most {reservable(concurrency)}", *of_emails(account)]))
    sys.exit(0 if is_enough else 1)


def of_account(boto3, service, code):
    """Returns the quota of the account, or `None` if it never requested a change of the initial quota."""
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


def reservable(concurrency):
    return max(0, concurrency - UNRESERVED)


def refusals(sent, concurrency):
    """Yields the parameters of a deployment that are larger than the account's concurrency allows."""
    reserved = sum(int(sent.get(name, 0)) for name in RESERVED)
    if reserved > reservable(concurrency):
        yield f"{' + '.join(RESERVED)} is {reserved}, but the account allows at most {reservable(concurrency)}: run make quotas"
    if int(sent.get("AccountConcurrency", 0)) > concurrency:
        yield f"AccountConcurrency is {sent['AccountConcurrency']}, but the account has {concurrency}: set it in the stage's file"


def of_emails(account):
    """Returns the state of SES. Each new account is in the sandbox."""
    state = "production" if account.get("ProductionAccessEnabled") else "sandbox, so only verified addresses get emails"
    quota = account["SendQuota"]
    yield f"SES: {state}; sending is {account['EnforcementStatus']}"
    yield f"SES: {quota['SentLast24Hours']:,.0f} of {quota['Max24HourSend']:,.0f} emails in 24 hours, {quota['MaxSendRate']:.0f} per second"


if __name__ == "__main__":
    main(*sys.argv[1:])
