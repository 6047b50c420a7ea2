"""Tests of replaced.py."""

import copy
import unittest

from replaced import compare

INDEX = {
    "IndexName": "gsi1",
    "KeySchema": [{"AttributeName": "gsi1pk", "KeyType": "HASH"}],
    "Projection": {"ProjectionType": "ALL"},
}
TEMPLATE = {
    "Resources": {
        "Table": {
            "Type": "AWS::DynamoDB::Table",
            "DeletionPolicy": "Retain",
            "Properties": {
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
                "GlobalSecondaryIndexes": [INDEX],
                "StreamSpecification": {"StreamViewType": "NEW_AND_OLD_IMAGES"},
            },
        },
        "MailQueue": {"Type": "AWS::SQS::Queue", "Properties": {"VisibilityTimeout": 60}},
        "Uploads": {"Type": "AWS::S3::Bucket"},
        "JwtKey": {"Type": "AWS::SecretsManager::Secret", "Properties": {"GenerateSecretString": {"PasswordLength": 64}}},
        "Posts": {"Type": "AWS::Lambda::Function", "Properties": {"MemorySize": 256}},
    }
}


def index(name):
    return {**INDEX, "IndexName": name}


class Replaced(unittest.TestCase):
    def finds(self, expected, change):
        new = copy.deepcopy(TEMPLATE)
        change(new["Resources"])
        self.assertEqual(list(compare(TEMPLATE, new)), expected)

    def test_harmless_changes_are_not_reported(self):
        def harmless(it):
            it["Posts"]["Properties"]["MemorySize"] = 512
            it["MailQueue"]["Properties"]["VisibilityTimeout"] = 90
            it["MoreQueue"] = {"Type": "AWS::SQS::Queue"}
            it["Table"]["Properties"]["GlobalSecondaryIndexes"].append(index("gsi2"))
            it["Table"]["Properties"]["AttributeDefinitions"].append({"AttributeName": "gsi2pk", "AttributeType": "S"})

        self.finds([], harmless)
        self.finds([], lambda it: it.pop("Posts"))

    def test_a_removed_resource_loses_its_content(self):
        self.finds(["MailQueue: is deleted with its messages"], lambda it: it.pop("MailQueue"))
        self.finds(["Uploads: is deleted with its files"], lambda it: it.update(Files=it.pop("Uploads")))
        self.finds(["Table: leaves the stack and keeps its rows, but nothing uses it"], lambda it: it.pop("Table"))
        self.finds(["Uploads: is deleted with its files"], lambda it: it["Uploads"].update(Type="AWS::SQS::Queue"))

    def test_a_replaced_resource_loses_its_content(self):
        def key(it):
            it["Table"]["Properties"]["KeySchema"][0]["AttributeName"] = "id"

        def kind(it):
            it["Table"]["Properties"]["AttributeDefinitions"][0]["AttributeType"] = "N"

        self.finds(["Table: KeySchema changed, so the resource is replaced without its rows"], key)
        self.finds(["Table: the type of pk changed, so the table is replaced without its rows"], kind)
        named = ["MailQueue: QueueName changed, so the resource is replaced without its messages"]
        self.finds(named, lambda it: it["MailQueue"]["Properties"].update(QueueName="mail"))
        named = ["Uploads: BucketName changed, so the resource is replaced without its files"]
        self.finds(named, lambda it: it["Uploads"].update(Properties={"BucketName": "files"}))

    def test_a_changed_generation_replaces_a_secret(self):
        longer = {"GenerateSecretString": {"PasswordLength": 99}}
        renewed = ["JwtKey: its generation changed, so it gets a new value"]
        self.finds(renewed, lambda it: it["JwtKey"].update(Properties=longer))

    def test_a_condition_can_delete_a_resource(self):
        lost = ["Uploads: has another condition. If it is false, the resource is deleted with its files"]
        self.finds(lost, lambda it: it["Uploads"].update(Condition="Never"))

    def test_a_changed_stream_loses_records(self):
        forgets = ["Table: its stream changed, so undelivered records of the old one are lost"]
        self.finds(forgets, lambda it: it["Table"]["Properties"].pop("StreamSpecification"))

    def test_an_update_changes_one_index(self):
        def becomes(*names):
            return lambda it: it["Table"]["Properties"].update(GlobalSecondaryIndexes=[index(name) for name in names])

        many = "Table: more than one index is added or removed, but DynamoDB allows one per update"
        deleted = "Table: gsi1 is deleted while code may still query it"
        self.finds([many], becomes("gsi1", "gsi2", "gsi3"))
        self.finds([deleted], becomes())
        self.finds([deleted, many], becomes("gsi9"))

        def projected(it):
            it["Table"]["Properties"]["GlobalSecondaryIndexes"][0]["Projection"] = {"ProjectionType": "KEYS_ONLY"}

        self.finds(["Table: gsi1 changed under the same name, which DynamoDB refuses. Choose another name"], projected)


if __name__ == "__main__":
    unittest.main()
