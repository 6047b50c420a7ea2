import unittest

import runbook

TEMPLATE = """
  SlowAlarm:
    - ${Queue}LateAlarm:
    - ${Index}ThrottlesAlarm:
"""
PAGE = """
## Runbook

| alarm | meaning | first command |
|---|---|---|
| `Slow` | slow | `make quotas` |
| *Queue*`Late` | late | for `Mail`: `aws logs tail x` |
| `gsi1Throttles` to `gsi3Throttles` | throttled | `curl -i x` |

- **Slow, Late.** Wait.
- **Throttles.** Wait.
""" + "".join(f"- **{name}.** Wait, and\n  run `make quotas`.\n" for name in runbook.SITUATIONS)


class RunbookTest(unittest.TestCase):
    def test_each_alarm_has_an_entry(self):
        self.assertEqual(list(runbook.problems(TEMPLATE, PAGE)), [])

    def test_a_missing_entry_or_alarm_is_found(self):
        self.assertEqual(
            list(runbook.problems(TEMPLATE + "  NewAlarm:\n", PAGE)), ["the runbook has no entry for the alarm New"]
        )
        found = list(runbook.problems(TEMPLATE.replace("SlowAlarm", "SlowThing"), PAGE))
        self.assertEqual(found, ["the runbook has an entry for Slow, which is no alarm"])

    def test_missing_commands_and_steps_are_found(self):
        for command in ("", "open the dashboard", "`filter message`", "`make redrive QUEUE=…`"):
            found = list(runbook.problems(TEMPLATE, PAGE.replace("| slow | `make quotas` |", f"| slow | {command} |")))
            self.assertEqual(found, ["the runbook's entry for `Slow` has no command that can be typed"])
        found = list(runbook.problems(TEMPLATE, PAGE.replace("**Poison message.** Wait, and\n  run `make quotas`.", "**Poison message.** Wait.")))
        self.assertEqual(found, ["the runbook's entry for Poison message has no command that can be typed"])
        found = list(runbook.problems(TEMPLATE, PAGE.replace("**Throttles.**", "**Others.**")))
        self.assertEqual(found, ["the runbook has no next steps for *Throttles"])
        found = list(runbook.problems(TEMPLATE, PAGE.replace("**Region down.**", "")))
        self.assertEqual(found, ["the runbook has no entry for the situation 'Region down'"])


if __name__ == "__main__":
    unittest.main()
