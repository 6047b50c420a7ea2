"""AWS on 127.0.0.1: ministack, pinned in emulator.txt, with seven changes.

- It calls universal targets of schedules (`arn:aws:scheduler:::aws-sdk:sqs:sendMessageBatch`), which ministack drops.
- A batch of messages requires the right to send a message. ministack requires another right.
- Mails require a right to the sender's identity. ministack requires a right to everything.
- `Ref` of a secret is its ARN. In ministack it is the name.
- A warm function answers in milliseconds. ministack waits 100 ms for small packets and log lines.
- At most 8 functions run at once. If a hundred ran, their SDK calls would time out, and each retry would find the
  effects of the first attempt.
- The list of messages includes unread records of streams, so that tests can wait until all work is done.
"""

import json
import os
import socketserver
import threading

import boto3
from botocore import xform_name

socketserver.StreamRequestHandler.disable_nagle_algorithm = True

# After the patch above, because ministack derives classes when it is imported.
from ministack import app
from ministack.core import iam_actions, lambda_runtime
from ministack.core.responses import get_region
from ministack.services import dynamodb, eventbridge, lambda_svc, secretsmanager
from ministack.services.cloudformation import provisioners

UNIVERSAL = ":scheduler:::aws-sdk:"
RUN_AT_ONCE = 8


def with_universal_targets(invoke):
    def invoke_target(target, *rest, **options):
        _, universal, call = target.get("Arn", "").partition(UNIVERSAL)
        if not universal:
            return invoke(target, *rest, **options)
        service, operation = call.split(":")
        client = boto3.client(service, region_name=get_region(), endpoint_url=os.environ["AWS_ENDPOINT_URL"])
        return getattr(client, xform_name(operation))(**json.loads(target["Input"]))

    return invoke_target


def with_senders(resource_of):
    def resource_arn(method, path, body, region, account):
        if not path.startswith("/v2/email/outbound-emails"):
            return resource_of(method, path, body, region, account)
        _, _, domain = json.loads(body)["FromEmailAddress"].rpartition("@")
        return f"arn:aws:ses:{region}:{account}:identity/{domain}"

    return resource_arn


def without_batches(action_of):
    def action(*request):
        return (action_of(*request) or "").replace("sqs:SendMessageBatch", "sqs:SendMessage") or None

    return action


def by_arn(act):
    def acts(secret, *rest, **options):
        names = {it["ARN"]: name for name, it in secretsmanager._secrets.items()}
        done = act(names.get(secret, secret), *rest, **options)
        return done and (done[1]["Arn"], *done[1:])

    return acts


def few_at_once(act):
    room = threading.Semaphore(RUN_AT_ONCE)

    def acts(*arguments):
        with room:
            return act(*arguments)

    return acts


def with_streams(handle):
    async def handled(method, path, *rest):
        ahead = unread()
        answer = await handle(method, path, *rest)
        if answer is None:
            return None
        status, headers, body = answer
        # During the call, a record can become a message, or a message a record. So the streams are read twice.
        idle = ahead == unread() and not any(queue["unread"] for queue in ahead)
        return status, headers, json.dumps(json.loads(body) | {"streams": {"idle": idle}}).encode()

    return handled


def unread():
    """Returns the end of each mapped stream, and its number of unread records."""
    positions, ends = lambda_svc._dynamodb_stream_positions, []
    for account, region, mapping in lambda_svc._iter_all_esms():
        arn = mapping.get("EventSourceArn", "")
        if ":dynamodb:" in arn:
            table = arn.split("/")[1]
            scope = {"account_id": account, "region": region}
            end = dynamodb.stream_end_position(table, **scope)
            start = dynamodb.stream_start_position(table, **scope)
            read = positions.get_scoped(account, region, mapping["UUID"], start)
            ends.append({"table": table, "end": end, "unread": end - max(read, start)})
    return ends


if __name__ == "__main__":
    iam_actions._ses_v2_resource_arn = with_senders(iam_actions._ses_v2_resource_arn)
    iam_actions.extract_iam_action = without_batches(iam_actions.extract_iam_action)
    eventbridge._invoke_target = with_universal_targets(eventbridge._invoke_target)
    secret = provisioners._RESOURCE_HANDLERS["AWS::SecretsManager::Secret"]
    secret.update({step: by_arn(secret[step]) for step in ("create", "update", "delete")})
    lambda_runtime.Worker._drain_stderr_bounded.__defaults__ = (0.003, 0.002, 0.25)
    lambda_svc._execute_function_provided_warm = few_at_once(lambda_svc._execute_function_provided_warm)
    app._handle_sqs_messages_request = with_streams(app._handle_sqs_messages_request)
    app.main()
