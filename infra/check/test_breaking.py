"""Tests of breaking.py."""

import copy
import unittest

from breaking import compare

DOCUMENT = {
    "paths": {
        "/posts": {
            "get": {
                "parameters": [{"in": "query", "name": "type", "schema": {"type": "string", "enum": ["A", "B"]}}],
                "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Page"}}}}},
            },
            "post": {
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Draft"}}}},
                "responses": {"201": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Post"}}}}},
            },
        }
    },
    "components": {
        "schemas": {
            "Draft": {
                "type": "object",
                "required": ["content"],
                "properties": {"content": {"type": "string", "maxLength": 10}, "topic": {"type": ["string", "null"]}},
            },
            "Post": {
                "allOf": [
                    {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}},
                    {"type": "object", "properties": {"origin": {"oneOf": [{"$ref": "#/components/schemas/Post"}, {"type": "null"}]}}},
                ]
            },
            "Page": {"type": "object", "properties": {"data": {"type": "array", "items": {"$ref": "#/components/schemas/Post"}}}},
        }
    },
}


def changed(change):
    new = copy.deepcopy(DOCUMENT)
    change(new)
    return compare(DOCUMENT, new)


class Breaking(unittest.TestCase):
    def test_an_equal_document_breaks_nothing(self):
        self.assertEqual(compare(DOCUMENT, DOCUMENT), [])

    def test_additions_break_nothing(self):
        def more(document):
            document["paths"]["/more"] = copy.deepcopy(document["paths"]["/posts"])
            schemas = document["components"]["schemas"]
            schemas["Draft"]["properties"]["more"] = {"type": "string"}
            schemas["Draft"]["properties"]["content"]["maxLength"] = 20
            schemas["Post"]["allOf"][0]["properties"]["more"] = {"type": "string"}
            document["paths"]["/posts"]["get"]["parameters"][0]["schema"]["enum"].append("C")

        self.assertEqual(changed(more), [])

    def test_removals_and_restrictions_break_clients(self):
        post = lambda it: it["components"]["schemas"]["Post"]["allOf"][0]
        draft = lambda it: it["components"]["schemas"]["Draft"]
        content = lambda it: draft(it)["properties"]["content"]
        cases = [
            (lambda it: it["paths"]["/posts"].pop("get"), "GET /posts: was removed"),
            (lambda it: it["paths"]["/posts"]["get"].update(security=[{"bearer": []}]), "GET /posts: requires sign-in"),
            (lambda it: it["paths"]["/posts"]["get"].update(parameters=[]), "GET /posts: no longer has the parameter type"),
            (lambda it: it["paths"]["/posts"]["get"]["parameters"][0].update(required=True), "GET /posts: requires the parameter type"),
            (lambda it: it["paths"]["/posts"]["get"]["parameters"][0]["schema"]["enum"].pop(), "GET /posts: type: no longer accepts B"),
            (lambda it: it["paths"]["/posts"]["post"]["responses"].pop("201"), "POST /posts: 201: is no longer returned"),
            (lambda it: draft(it)["required"].append("topic"), "Draft.topic: is now required"),
            (lambda it: draft(it)["properties"].pop("topic"), "Draft.topic: is no longer accepted"),
            (lambda it: draft(it)["properties"]["topic"].update(type="string"), "Draft.topic: can no longer be null"),
            (lambda it: content(it).update(maxLength=5), "Draft.content: maxLength is 5, was 10"),
            (lambda it: content(it).update(minLength=1), "Draft.content: minLength is 1, was none"),
            (lambda it: content(it).update(type="integer"), "Draft.content: has type integer, had string"),
            (lambda it: post(it)["properties"].pop("id"), "Post.id: was removed"),
            (lambda it: post(it).update(required=[]), "Post.id: can be missing"),
            (lambda it: post(it)["properties"]["id"].update(type=["string", "null"]), "Post.id: can be null"),
        ]
        for change, finding in cases:
            self.assertEqual(changed(change), [finding])


class Events(unittest.TestCase):
    DOCUMENT = {
        "channels": {
            "user": {"address": "private-user-{userId}", "messages": {"new": {"$ref": "#/components/messages/new"}}},
        },
        "components": {
            "messages": {"new": {"name": "message:new", "payload": {"allOf": [{"$ref": "#/components/schemas/Message"}]}}},
            "schemas": {"Message": {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}}},
        },
    }

    def finds(self, expected, change):
        new = copy.deepcopy(self.DOCUMENT)
        change(new)
        self.assertEqual(compare(self.DOCUMENT, new), expected)

    def test_additions_break_nothing(self):
        def more(document):
            document["channels"]["chat"] = document["channels"]["user"]
            document["components"]["schemas"]["Message"]["properties"]["more"] = {"type": "string"}

        self.finds([], more)

    def test_removed_channels_events_and_fields_break_clients(self):
        self.finds(["private-user-{userId}: was removed"], lambda it: it["channels"].pop("user"))
        self.finds(["private-user-{userId}: was removed"], lambda it: it["channels"]["user"].update(address="user-{userId}"))
        silent = ["private-user-{userId}: message:new is no longer sent"]
        self.finds(silent, lambda it: it["channels"]["user"]["messages"].pop("new"))
        without = ["Message.id: was removed"]
        self.finds(without, lambda it: it["components"]["schemas"]["Message"]["properties"].pop("id"))


if __name__ == "__main__":
    unittest.main()
