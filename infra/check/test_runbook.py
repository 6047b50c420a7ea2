import unittest

import runbook

TEMPLATE = """
  SlowAlarm:
    - ${Queue}LateAlarm:
    - ${Index}ThrottlesAlarm:
"""
PAGE = """
## Runbook

| alarm | meaning |
|---|---|
| `Slow` | slow |
| *Queue*`Late` | late |
| `gsi1Throttles` to `gsi3Throttles` | throttled |

Next steps
"""


class RunbookTest(unittest.TestCase):
    def test_each_alarm_has_an_entry(self):
        self.assertEqual(list(runbook.problems(TEMPLATE, PAGE)), [])

    def test_a_missing_entry_or_alarm_is_found(self):
        self.assertEqual(
            list(runbook.problems(TEMPLATE + "  NewAlarm:\n", PAGE)), ["the runbook has no entry for the alarm New"]
        )
        found = list(runbook.problems(TEMPLATE.replace("SlowAlarm", "SlowThing"), PAGE))
        self.assertEqual(found, ["the runbook has an entry for Slow, which is no alarm"])


if __name__ == "__main__":
    unittest.main()
