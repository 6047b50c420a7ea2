"""Checks template.yaml offline: with the rules of rules/, and with a linter, as written and as translated.

In a SAM template the linter misses wrong batch sizes, response types and architectures. It finds them in the translated
template. rules/ finds what it misses in both.
"""

import json
import pathlib
import subprocess
import sys

import capacity
import cost
import limits
import rules
import runbook
import sam
import uses

# Parameters that a stage must set, and what happens without them.
EXPECTED = {
    "prod.json": {
        "AlarmEmail": "alarms reach no operator", "FrontEnabled": "no web ACL limits requests",
        "FrontOnly": "requests can bypass the web ACL", "GradualDeployment": "a failing release reaches all users at once",
        "MonthlyBudget": "no email warns of high costs", "NoRequestsMinutes": "no alarm reports an unreachable API",
    },
}

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
NESTED = tuple(f"infra/{name}.yaml" for name in ("backup", "canary", "dashboard", "files", "front", "waf"))


def main(target):
    source = (ROOT / "template.yaml").read_text()
    template = sam.read(source)
    translated = sam.translate(template)
    nested = nested_templates()
    problems = [*rules.problems(template, used()), *rules.translated_problems(translated), *cost.problems(translated)]
    problems += capacity.problems(translated)
    problems += [f"{path}: {problem}" for path, text in nested.items() for problem in of_nested(sam.read(text))]
    problems += [problem for path, text in nested.items() for problem in of_senders(template, path, text)]
    problems += unused(template, NESTED)
    problems += unshown(translated, (ROOT / "infra/dashboard.yaml").read_text())
    problems += stages(template)
    problems += runbook.problems("\n".join([source, *nested.values()]))
    problems += limits.problems(template, translated)
    for problem in problems:
        print(f"template.yaml: {problem}", file=sys.stderr)
    target = pathlib.Path(target)
    target.write_text(json.dumps(translated, indent=1))
    failed = [path for path in ("template.yaml", target, *NESTED) if lint(path)]
    for path in failed:
        print(f"{path}: does not pass", file=sys.stderr)
    return 1 if problems or failed else 0


def unused(template, paths):
    """Yields nested templates that no stack uses."""
    used = {stack["TemplateURL"] for stack in rules.resources.of_type(template, "AWS::CloudFormation::Stack").values()}
    yield from (f"{path}: no nested stack uses it" for path in paths if path not in used)


def unshown(translated, dashboard):
    """Yields metrics of alarms that the dashboard does not show."""
    for name, alarm in rules.resources.of_type(translated, "AWS::CloudWatch::Alarm").items():
        parts = [query["MetricStat"]["Metric"] for query in alarm.get("Metrics", []) if "MetricStat" in query]
        for metric in {part["MetricName"] for part in [alarm, *parts] if "MetricName" in part}:
            if metric not in dashboard:
                yield f"{name}: the dashboard does not show {metric}"


def nested_templates():
    """Returns the texts of the nested templates by path."""
    return {path: (ROOT / path).read_text() for path in NESTED}


def of_nested(template):
    """Yields the problems of a nested template. Applies the rules for functions if the template has functions."""
    yield from rules.nested.problems(template)
    if own := rules.resources.functions(template):
        yield from rules.uses.problems(template, {use for use in listed() if function(use) in own})
        yield from rules.translated_problems(sam.translate(template))


def of_senders(template, path, text):
    """Yields the problems of a nested template's rules, whose dead letters are in the main template."""
    stacks = rules.resources.of_type(template, "AWS::CloudFormation::Stack").values()
    given = next((stack.get("Parameters", {}) for stack in stacks if stack["TemplateURL"] == path), {})
    yield from (f"{path}: {problem}" for problem in rules.queues.nested_rules(template, given, sam.translate(sam.read(text))))


def used():
    """Returns the lines of uses.txt about functions of the main template."""
    nested = {name for text in nested_templates().values() for name in rules.resources.functions(sam.read(text))}
    return {use for use in listed() if function(use) not in nested}


def listed():
    return set(uses.read(uses.LISTED.read_text()))


def function(use):
    """Returns the function that a line of uses.txt is about."""
    return use.split()[0]


def stages(template, folder=ROOT / "infra/parameters"):
    """Checks that the parameter files have existing parameters with allowed values, and what production needs."""
    for path in sorted(folder.glob("*.json")):
        given = json.loads(path.read_text())
        for name, without in EXPECTED.get(path.name, {}).items():
            if given.get(name) in (None, "", "0", "off"):
                yield f"{path.name}: lacks {name}, so {without}"
        for name, value in given.items():
            parameter = template["Parameters"].get(name)
            if parameter is None:
                yield f"{path.name}: unknown parameter {name}"
            elif value not in [str(allowed) for allowed in parameter.get("AllowedValues", [value])]:
                yield f"{path.name}: {name} cannot be {value}"


def lint(path):
    command = [pathlib.Path(sys.executable).with_name("cfn-lint"), "--regions", sam.REGION, "--non-zero-exit-code", "error"]
    return subprocess.run([*command, "--", str(path)], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
