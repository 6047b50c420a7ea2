"""Tests of quotas.py."""

import pathlib
import sys
import tempfile
import unittest
from unittest import mock

import quotas

WANTED = {
    "requests": {"service": "apigateway", "code": "L-1", "first": 10, "wanted": 25},
    "executions": {"service": "lambda", "code": "L-2", "first": 1000, "wanted": 3000},
}
ASKS = "  aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-2 --desired-value 3000"


class Quotas(unittest.TestCase):
    def test_a_missing_quota_is_shown_with_its_command(self):
        lines, is_enough = quotas.compared(WANTED, {"requests": 25.0, "executions": 10.0})
        self.assertEqual(lines, ["requests: 25 of 25", "executions: 10 of 3,000", ASKS])
        self.assertFalse(is_enough)

    def test_an_unrequested_quota_has_its_initial_value(self):
        lines, is_enough = quotas.compared(WANTED, {"requests": 30.0, "executions": None})
        self.assertEqual(lines, ["requests: 30 of 25", "executions: 1,000 of 3,000", ASKS])
        self.assertFalse(is_enough)

    def test_granted_quotas_are_enough(self):
        lines, is_enough = quotas.compared(WANTED, {"requests": 25.0, "executions": 4000.0})
        self.assertEqual(lines, ["requests: 25 of 25", "executions: 4,000 of 3,000"])
        self.assertTrue(is_enough)

    def test_needed_quotas_exceed_initial_ones(self):
        self.assertTrue(all(quota["wanted"] > quota["first"] for quota in quotas.WANTED.values()))

    def test_reservations_leave_100_executions(self):
        both = {"ReservedForRelay": "400", "ReservedForAuth": "500"}
        self.assertEqual(list(quotas.refusals(both, 1000)), [])
        [refused] = quotas.refusals({**both, "ReservedForNotificationGrouping": "1"}, 1000)
        self.assertIn("is 901, but the account allows at most 900", refused)
        [refused] = quotas.refusals({"ReservedForRelay": "1"}, 10)
        self.assertIn("is 1, but the account allows at most 0", refused)

    def test_a_deployment_checks_the_reservations_first(self):
        makefile = (pathlib.Path(__file__).parent.parent.parent / "Makefile").read_text()
        deploy = makefile.split("\ndeploy: $(SAM)/ready", 1)[1]
        self.assertLess(deploy.index("quotas.py --check template.yaml $(PARAMETERS)"), deploy.index("sam deploy"))

    def test_account_concurrency_must_not_exceed_the_quota(self):
        self.assertEqual(list(quotas.refusals({"AccountConcurrency": "10"}, 10)), [])
        self.assertEqual(list(quotas.refusals({"AccountConcurrency": "1000"}, 10)), ["AccountConcurrency is 1000, but the account has 10: set it in the stage's file"])

    def test_defaults_of_the_template_are_compared(self):
        def check(stage):
            boto3 = mock.MagicMock()
            boto3.client().get_account_settings.return_value = {"AccountLimit": {"ConcurrentExecutions": 1000}}
            with tempfile.TemporaryDirectory() as folder, mock.patch.dict(sys.modules, boto3=boto3):
                template, file = pathlib.Path(folder, "template.yaml"), pathlib.Path(folder, "stage.json")
                template.write_text("Parameters: { ReservedForRelay: { Type: Number, Default: 901 } }")
                file.write_text(stage)
                quotas.main("--check", template, file)

        check('{"ReservedForRelay": "900"}')
        with self.assertRaisesRegex(SystemExit, "is 901, but the account allows at most 900"):
            check("{}")

    def test_the_sandbox_and_the_limits_of_ses_are_shown(self):
        sent = {"SentLast24Hours": 12.0, "Max24HourSend": 200.0, "MaxSendRate": 1.0}
        account = {"ProductionAccessEnabled": False, "EnforcementStatus": "HEALTHY", "SendQuota": sent}
        state, limit = quotas.of_emails(account)
        self.assertEqual(state, "SES: sandbox, so only verified addresses get emails; sending is HEALTHY")
        self.assertEqual(limit, "SES: 12 of 200 emails in 24 hours, 1 per second")


if __name__ == "__main__":
    unittest.main()
