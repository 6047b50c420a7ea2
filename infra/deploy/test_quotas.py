"""Tests of quotas.py."""

import unittest

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
        self.assertTrue(all(it["wanted"] > it["first"] for it in quotas.WANTED.values()))


if __name__ == "__main__":
    unittest.main()
