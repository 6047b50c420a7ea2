"""The check of the API document finds what breaks clients, and nothing else."""

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
    def test_the_same_breaks_nothing(self):
        self.assertEqual(compare(DOCUMENT, DOCUMENT), [])

    def test_what_is_added_breaks_nothing(self):
        def more(it):
            it["paths"]["/more"] = copy.deepcopy(it["paths"]["/posts"])
            schemas = it["components"]["schemas"]
            schemas["Draft"]["properties"]["more"] = {"type": "string"}
            schemas["Draft"]["properties"]["content"]["maxLength"] = 20
            schemas["Post"]["allOf"][0]["properties"]["more"] = {"type": "string"}
            it["paths"]["/posts"]["get"]["parameters"][0]["schema"]["enum"].append("C")

        self.assertEqual(changed(more), [])

    def test_what_is_gone_breaks(self):
        post = lambda it: it["components"]["schemas"]["Post"]["allOf"][0]
        draft = lambda it: it["components"]["schemas"]["Draft"]
        content = lambda it: draft(it)["properties"]["content"]
        cases = [
            (lambda it: it["paths"]["/posts"].pop("get"), "GET /posts: is gone"),
            (lambda it: it["paths"]["/posts"]["get"].update(security=[{"bearer": []}]), "GET /posts: needs a sign-in"),
            (lambda it: it["paths"]["/posts"]["get"].update(parameters=[]), "GET /posts: has no parameter type any more"),
            (lambda it: it["paths"]["/posts"]["get"]["parameters"][0].update(required=True), "GET /posts: needs the parameter type"),
            (lambda it: it["paths"]["/posts"]["get"]["parameters"][0]["schema"]["enum"].pop(), "GET /posts: type: does not take B any more"),
            (lambda it: it["paths"]["/posts"]["post"]["responses"].pop("201"), "POST /posts: 201: is not answered any more"),
            (lambda it: draft(it)["required"].append("topic"), "Draft.topic: must be given"),
            (lambda it: draft(it)["properties"].pop("topic"), "Draft.topic: is not taken any more"),
            (lambda it: draft(it)["properties"]["topic"].update(type="string"), "Draft.topic: may not be null any more"),
            (lambda it: content(it).update(maxLength=5), "Draft.content: maxLength is 5, was 10"),
            (lambda it: content(it).update(minLength=1), "Draft.content: minLength is 1, was none"),
            (lambda it: content(it).update(type="integer"), "Draft.content: is of type integer, was string"),
            (lambda it: post(it)["properties"].pop("id"), "Post.id: is gone"),
            (lambda it: post(it).update(required=[]), "Post.id: may be missing"),
            (lambda it: post(it)["properties"]["id"].update(type=["string", "null"]), "Post.id: may be null"),
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

    def test_what_is_added_breaks_nothing(self):
        def more(it):
            it["channels"]["chat"] = it["channels"]["user"]
            it["components"]["schemas"]["Message"]["properties"]["more"] = {"type": "string"}

        self.finds([], more)

    def test_channels_events_and_fields_stay(self):
        self.finds(["private-user-{userId}: is gone"], lambda it: it["channels"].pop("user"))
        self.finds(["private-user-{userId}: is gone"], lambda it: it["channels"]["user"].update(address="user-{userId}"))
        silent = ["private-user-{userId}: message:new is not told any more"]
        self.finds(silent, lambda it: it["channels"]["user"]["messages"].pop("new"))
        without = ["Message.id: is gone"]
        self.finds(without, lambda it: it["components"]["schemas"]["Message"]["properties"].pop("id"))


if __name__ == "__main__":
    unittest.main()
