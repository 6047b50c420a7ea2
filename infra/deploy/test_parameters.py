import json
import pathlib
import unittest

import parameters

ROOT = pathlib.Path(__file__).parent.parent.parent
TEMPLATE = """
Parameters:
  JwtSecretPrevious: { Type: String, Default: "" }
  FeedShards: { Type: Number, Default: 4 }
  Given: { Type: String }
Resources:
  Api: !If [Given, !Sub "${Given}", { Ref: FeedShards }]
"""


class ParametersTest(unittest.TestCase):
    def test_a_deleted_line_resets_the_parameter(self):
        both = {"JwtSecretPrevious": "old", "FeedShards": "8"}
        self.assertEqual(parameters.merged(TEMPLATE, both), both)
        self.assertEqual(parameters.merged(TEMPLATE, {}), {"JwtSecretPrevious": "", "FeedShards": "4"})

    def test_an_unknown_parameter_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "no parameter FeedShard$"):
            parameters.merged(TEMPLATE, {"FeedShard": "8"})

    def test_a_changed_parameter_or_template_changes_the_release(self):
        template = (ROOT / "template.yaml").read_text()
        names = {parameters.release(text, {"A": value}) for text in (template, template + " ") for value in ("on", "off")}
        self.assertEqual(len(names), 4)
        self.assertIn("RELEASE: abc", parameters.released(template, "abc"))
        with self.assertRaisesRegex(SystemExit, "lacks RELEASE"):
            parameters.released(template.replace("RELEASE: unreleased", ""), "abc")

    def test_each_stage_sends_all_parameters(self):
        template = (ROOT / "template.yaml").read_text()
        for path in (ROOT / "infra/parameters").glob("*.json"):
            sent = parameters.merged(template, json.loads(path.read_text()))
            self.assertGreater(len(sent), 50, path.name)
            self.assertTrue(all(isinstance(value, str) for value in sent.values()), path.name)

    def test_a_deployment_sends_these_parameters_and_the_release(self):
        deploy = (ROOT / "Makefile").read_text().split("\ndeploy: $(SAM)/ready", 1)[1].split("\nendif", 1)[0]
        written = deploy.index("parameters.py template.yaml $(PARAMETERS) .aws-sam/build/template.yaml > $(TARGET)/parameters.json")
        sent = deploy.index("--parameter-overrides file://$(abspath $(TARGET))/parameters.json\n")
        steps = [deploy.index("/sam build\n"), written, deploy.index("/sam deploy "), sent]
        self.assertEqual(steps, sorted(steps))


if __name__ == "__main__":
    unittest.main()
