"""The generated functions read all recorded answers of the API reference."""

import importlib
import json
import pathlib
import re
import unittest

import httpx
from social_api import Client

ROOT = pathlib.Path(__file__).resolve().parents[4]
DOCUMENT = json.loads((ROOT / "functions/docs-api/openapi.json").read_text())
STEPS = json.loads((ROOT / "infra/documents/src/story/recorded.json").read_text())


class RecordedTest(unittest.TestCase):
    def test_every_recorded_answer_is_read(self):
        client = Client(base_url="http://127.0.0.1", raise_on_unexpected_status=True)
        read = 0
        for step in STEPS:
            operation = operation_of(step)
            if operation is None or step["answer"] is None:
                continue
            function = importlib.import_module(f"social_api.api.{snake(operation['tags'][0])}.{snake(operation['operationId'])}")
            response = httpx.Response(step["status"], json=step["answer"])
            with self.subTest(step["text"]):
                answer = function._parse_response(client=client, response=response)
                self.assertEqual(answer.success, step["answer"]["success"])
                self.assertEqual(answer.additional_properties, {})
            read += 1
        self.assertGreater(read, 200)


def operation_of(step):
    """Returns the operation of a step, or None. Of several matching paths, the one with the fewest parameters is right."""
    path = step["target"].split("?")[0]
    matching = [it for it in DOCUMENT["paths"] if re.fullmatch(re.sub(r"\{[^}]+\}", "[^/]+", it), path)]
    operations = [DOCUMENT["paths"][it].get(step["method"].lower()) for it in sorted(matching, key=lambda it: it.count("{"))]
    return next(filter(None, operations), None)


def snake(name):
    return re.sub(r"(?<=[a-z])(?=[A-Z])|-", "_", name).lower()


if __name__ == "__main__":
    unittest.main()
