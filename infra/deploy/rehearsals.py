"""Rare tasks of operators, run on the emulator to test the runbook."""

import json
import sys
import urllib.request

import boto3

import restore

PASSWORD = "correct horse battery"
# This test writes directly to the table. It fails if the API uses a different table.
WRITES_TO_THE_TABLE = "admin::moderation::a_repeated_delete_decision_deletes_a_reply_once"


def restores(stack, outputs, redeploy, kept):
    """Returns whether the stack serves a restored table with its data, and leaves the old table unchanged.

    `redeploy` deploys the stack with more parameters and returns its outputs. `kept` returns whether a test passes on
    the stack with these outputs.
    """
    token = ask(outputs, "/auth/register", person("restored"))["accessToken"]
    post = ask(outputs, "/posts", {"content": "before the backup"}, token)["publicId"]
    restored = restore.restore(stack)
    now = redeploy(restored)
    served = now["TableName"] == restored["RestoredTable"] and ask(now, f"/posts/{post}", token=token)["content"] == "before the backup"
    if not served or not exists(outputs["TableName"]) or not kept(WRITES_TO_THE_TABLE, now):
        print("the stack does not serve the restored table as the runbook describes", file=sys.stderr)
        return False
    print("the stack serves the restored table, and the old one is unchanged")
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
