"""The check of the template finds what a deployment would lose, and nothing else."""

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

    def test_what_loses_nothing_is_not_named(self):
        def harmless(it):
            it["Posts"]["Properties"]["MemorySize"] = 512
            it["MailQueue"]["Properties"]["VisibilityTimeout"] = 90
            it["MoreQueue"] = {"Type": "AWS::SQS::Queue"}
            it["Table"]["Properties"]["GlobalSecondaryIndexes"].append(index("gsi2"))
            it["Table"]["Properties"]["AttributeDefinitions"].append({"AttributeName": "gsi2pk", "AttributeType": "S"})

        self.finds([], harmless)
        self.finds([], lambda it: it.pop("Posts"))

    def test_what_goes_takes_what_it_holds_with_it(self):
        self.finds(["MailQueue: is deleted with its messages"], lambda it: it.pop("MailQueue"))
        self.finds(["Uploads: is deleted with its files"], lambda it: it.update(Files=it.pop("Uploads")))
        self.finds(["Table: leaves the stack, and stays with its rows, which nobody uses"], lambda it: it.pop("Table"))
        self.finds(["Uploads: is deleted with its files"], lambda it: it["Uploads"].update(Type="AWS::SQS::Queue"))

    def test_what_is_replaced_is_empty(self):
        def key(it):
            it["Table"]["Properties"]["KeySchema"][0]["AttributeName"] = "id"

        def kind(it):
            it["Table"]["Properties"]["AttributeDefinitions"][0]["AttributeType"] = "N"

        self.finds(["Table: KeySchema is another one, so it is replaced by one without its rows"], key)
        self.finds(["Table: pk is of another type, so it is replaced by one without its rows"], kind)
        named = ["MailQueue: QueueName is another one, so it is replaced by one without its messages"]
        self.finds(named, lambda it: it["MailQueue"]["Properties"].update(QueueName="mail"))
        named = ["Uploads: BucketName is another one, so it is replaced by one without its files"]
        self.finds(named, lambda it: it["Uploads"].update(Properties={"BucketName": "files"}))

    def test_a_secret_that_is_generated_otherwise_signs_everybody_out(self):
        longer = {"GenerateSecretString": {"PasswordLength": 99}}
        anew = ["JwtKey: is generated otherwise, so it is generated anew"]
        self.finds(anew, lambda it: it["JwtKey"].update(Properties=longer))

    def test_a_condition_may_take_it_away(self):
        lost = ["Uploads: has another condition: where that does not hold, it is deleted with its files"]
        self.finds(lost, lambda it: it["Uploads"].update(Condition="Never"))

    def test_another_stream_forgets(self):
        forgets = ["Table: its stream is another one, and what the old one has not told is not told"]
        self.finds(forgets, lambda it: it["Table"]["Properties"].pop("StreamSpecification"))

    def test_one_index_an_update(self):
        def becomes(*names):
            return lambda it: it["Table"]["Properties"].update(GlobalSecondaryIndexes=[index(name) for name in names])

        many = "Table: more than one index comes or goes, and DynamoDB takes one an update"
        deleted = "Table: gsi1 is deleted while code may still ask it"
        self.finds([many], becomes("gsi1", "gsi2", "gsi3"))
        self.finds([deleted], becomes())
        self.finds([deleted, many], becomes("gsi9"))

        def projected(it):
            it["Table"]["Properties"]["GlobalSecondaryIndexes"][0]["Projection"] = {"ProjectionType": "KEYS_ONLY"}

        self.finds(["Table: gsi1 is another index of the same name, which DynamoDB refuses: give it another name"], projected)


if __name__ == "__main__":
    unittest.main()
