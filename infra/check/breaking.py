"""Finds changes of API documents that break clients of the last release.

    breaking.py ACCEPTED OLD NEW [OLD NEW …]

OLD and NEW are OpenAPI or AsyncAPI documents. Each line of ACCEPTED is an accepted finding, verbatim. The exit status
is 1 if a finding is not accepted, or an accepted one was not found.
"""

import json
import pathlib
import sys

from accepted import judge

METHODS = ("get", "post", "put", "patch", "delete")


class Comparison:
    """Compares two documents, and collects breaking changes."""

    def __init__(self, old, new):
        self.old, self.new, self.found, self.seen = old, new, [], set()

    def run(self):
        for key, channel in self.old.get("channels", {}).items():
            self.channel(channel, self.new["channels"].get(key))
        for path, item in self.old.get("paths", {}).items():
            for method in METHODS:
                if method in item:
                    self.operation(f"{method.upper()} {path}", item[method], self.new["paths"].get(path, {}).get(method))
        return self.found

    def breaks(self, what):
        if what not in self.found:
            self.found.append(what)

    def operation(self, name, old, new):
        if new is None:
            return self.breaks(f"{name}: was removed")
        if not old.get("security") and new.get("security") and {} not in new["security"]:
            self.breaks(f"{name}: requires sign-in")
        self.parameters(name, self.named(self.old, old), self.named(self.new, new))
        self.body(name, old, new)
        for status, answer in old["responses"].items():
            if status.startswith("2"):
                self.answer(f"{name}: {status}", answer, new["responses"].get(status))

    def channel(self, old, new):
        name = old["address"]
        if new is None or new["address"] != name:
            return self.breaks(f"{name}: was removed")
        for key, message in old["messages"].items():
            before = resolved(self.old, message)
            if key in new["messages"]:
                after = resolved(self.new, new["messages"][key])
                self.given(f"{name}: {before['name']}", before["payload"], after["payload"])
            else:
                self.breaks(f"{name}: {before['name']} is no longer sent")

    @staticmethod
    def named(document, operation):
        parameters = [resolved(document, parameter) for parameter in operation.get("parameters", [])]
        return {(parameter["in"], parameter["name"]): parameter for parameter in parameters}

    def parameters(self, name, old, new):
        for key, parameter in new.items():
            if parameter.get("required") and not old.get(key, {}).get("required"):
                self.breaks(f"{name}: requires the parameter {key[1]}")
        for key, parameter in old.items():
            if key not in new:
                self.breaks(f"{name}: no longer has the parameter {key[1]}")
            else:
                self.taken(f"{name}: {key[1]}", parameter["schema"], new[key]["schema"])

    def body(self, name, old, new):
        before, after = content(self.old, old.get("requestBody")), content(self.new, new.get("requestBody"))
        if after is not None and before is None:
            self.breaks(f"{name}: requires a body")
        elif after is not None:
            self.taken(f"{name}: body", before, after)

    def answer(self, name, old, new):
        if new is None:
            return self.breaks(f"{name}: is no longer returned")
        before, after = content(self.old, old), content(self.new, new)
        if before is not None and after is None:
            self.breaks(f"{name}: no longer has a body")
        elif before is not None:
            self.given(name, before, after)

    def taken(self, name, old, new):
        """Finds changes that make the API refuse requests of existing clients."""
        if self.twice("taken", old, new):
            return
        old, new = Shape(self.old, old), Shape(self.new, new)
        if old.type and new.type and old.type != new.type:
            return self.breaks(f"{name}: has type {new.type}, had {old.type}")
        if old.nullable and not new.nullable:
            self.breaks(f"{name}: can no longer be null")
        name = old.name or name
        for value in sorted(old.values - new.values if new.values else ()):
            self.breaks(f"{name}: no longer accepts {value}")
        for limit, tighter in (("maxLength", -1), ("maximum", -1), ("maxItems", -1), ("minLength", 1), ("minimum", 1)):
            before, after = old.limits.get(limit), new.limits.get(limit)
            if after is not None and (before is None or (after - before) * tighter > 0):
                self.breaks(f"{name}: {limit} is {after}, was {'none' if before is None else before}")
        for field in sorted(new.required - old.required):
            self.breaks(f"{name}.{field}: is now required")
        for field, schema in old.fields.items():
            if field in new.fields:
                self.taken(f"{name}.{field}", schema, new.fields[field])
            else:
                self.breaks(f"{name}.{field}: is no longer accepted")
        if old.items is not None and new.items is not None:
            self.taken(f"{name}[]", old.items, new.items)

    def given(self, name, old, new):
        """Finds changes of responses and events that break existing clients."""
        if self.twice("given", old, new):
            return
        old, new = Shape(self.old, old), Shape(self.new, new)
        if old.type and new.type and old.type != new.type:
            return self.breaks(f"{name}: has type {new.type}, had {old.type}")
        if new.nullable and not old.nullable:
            self.breaks(f"{name}: can be null")
        name = old.name or name
        for field, schema in old.fields.items():
            if field not in new.fields:
                self.breaks(f"{name}.{field}: was removed")
                continue
            if field in old.required and field not in new.required:
                self.breaks(f"{name}.{field}: can be missing")
            self.given(f"{name}.{field}", schema, new.fields[field])
        if old.items is not None and new.items is not None:
            self.given(f"{name}[]", old.items, new.items)

    def twice(self, way, old, new):
        """Returns whether this pair of named schemas was compared before."""
        pair = (way, json.dumps(old, sort_keys=True), json.dumps(new, sort_keys=True))
        is_known = "$ref" in pair[1] and pair in self.seen
        self.seen.add(pair)
        return is_known


class Shape:
    """A schema with resolved references and merged `allOf`."""

    def __init__(self, document, schema):
        self.fields, self.required, self.values, self.limits = {}, set(), set(), {}
        self.type, self.items, self.nullable, self.name = None, None, False, None
        self.add(document, schema)

    def add(self, document, schema):
        # A change of a named schema is reported once, by that name.
        self.name = self.name or schema.get("$ref", "").split("/")[-1] or None
        schema = resolved(document, schema)
        types = schema.get("type", [])
        types = [types] if isinstance(types, str) else types
        self.nullable |= "null" in types
        self.type = next((type for type in types if type != "null"), self.type)
        self.fields.update(schema.get("properties", {}))
        self.required |= set(schema.get("required", []))
        self.values |= {value for value in schema.get("enum", []) if value is not None}
        self.items = schema.get("items", self.items)
        self.limits.update({name: value for name, value in schema.items() if name.startswith(("max", "min"))})
        for part in schema.get("allOf", []):
            self.add(document, part)
        choices = [choice for choice in schema.get("oneOf", []) if choice.get("type") != "null"]
        self.nullable |= len(choices) < len(schema.get("oneOf", []))
        if len(choices) == 1:
            self.add(document, choices[0])


def resolved(document, schema):
    while "$ref" in schema:
        found = document
        for step in schema["$ref"].split("/")[1:]:
            found = found[step]
        schema = found
    return schema


def content(document, holder):
    """Returns the JSON schema of a request or response body, or `None`."""
    media = resolved(document, holder or {}).get("content", {})
    return media.get("application/json", {}).get("schema")


def compare(old, new):
    return Comparison(old, new).run()


def main(accepted, *documents):
    read = [json.loads(pathlib.Path(path).read_text()) for path in documents]
    found = [finding for old, new in zip(read[::2], read[1::2], strict=True) for finding in compare(old, new)]
    return judge(found, accepted, "breaks clients")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
