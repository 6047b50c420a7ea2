"""What an operator does once in a long while, done on the emulator, so that the runbook is known to be right."""

import json
import sys
import urllib.request

import boto3

import restore

PASSWORD = "correct horse battery"
# It writes to the table beside the API, so it breaks where the two have not the same table.
WRITES_TO_THE_TABLE = "admin::moderation::a_delete_decision_deletes_the_reply_once"


def restores(stack, outputs, redeploy, kept):
    """Whether a restored table is served with what it held, and the old one is left alone.

    `redeploy` deploys the stack with some parameters more and answers its outputs, as `outputs` are; `kept` says
    whether a promise is kept by a stack with such outputs.
    """
    token = ask(outputs, "/auth/register", person("restored"))["accessToken"]
    post = ask(outputs, "/posts", {"content": "before the backup"}, token)["publicId"]
    restored = restore.restore(stack)
    now = redeploy(restored)
    served = now["TableName"] == restored["RestoredTable"] and ask(now, f"/posts/{post}", token=token)["content"] == "before the backup"
    if not served or not exists(outputs["TableName"]) or not kept(WRITES_TO_THE_TABLE, now):
        print("a restored table is not served as the runbook says", file=sys.stderr)
        return False
    print("a restored table is served, and the old one is left alone")
    return True


def person(name):
    return {"name": name, "username": name, "email": f"{name}@example.com", "password": PASSWORD}


def sign_in(name):
    return {"identifier": name, "password": PASSWORD}


def ask(outputs, path, body=None, token=None):
    request = urllib.request.Request(outputs["Url"] + path, json.dumps(body).encode() if body else None)
    request.add_header("content-type", "application/json")
    if token:
        request.add_header("authorization", f"Bearer {token}")
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)["data"]


def exists(table):
    return table in boto3.client("dynamodb").list_tables()["TableNames"]
