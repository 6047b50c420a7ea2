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

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
NESTED = ("infra/dashboard.yaml", "infra/files.yaml", "infra/front.yaml", "infra/waf.yaml")


def main(target):
    source = (ROOT / "template.yaml").read_text()
    template = sam.read(source)
    translated = sam.translate(template)
    problems = [*rules.problems(template, used()), *rules.translated_problems(translated), *cost.problems(translated)]
    problems += capacity.problems(translated)
    problems += [f"{path}: {it}" for path in NESTED for it in rules.nested.problems(sam.read((ROOT / path).read_text()))]
    problems += stages(template)
    problems += runbook.problems(source)
    problems += limits.problems(template, translated)
    for problem in problems:
        print(f"template.yaml: {problem}", file=sys.stderr)
    target = pathlib.Path(target)
    target.write_text(json.dumps(translated, indent=1))
    failed = [path for path in ("template.yaml", target, *NESTED) if lint(path)]
    for path in failed:
        print(f"{path}: does not pass", file=sys.stderr)
    return 1 if problems or failed else 0


def used():
    return set(uses.read(uses.LISTED.read_text()))


def stages(template):
    """Checks that the parameter files have existing parameters with allowed values."""
    for path in sorted((ROOT / "infra/parameters").glob("*.json")):
        for name, value in json.loads(path.read_text()).items():
            parameter = template["Parameters"].get(name)
            if parameter is None:
                yield f"{path.name}: unknown parameter {name}"
            elif value not in [str(it) for it in parameter.get("AllowedValues", [value])]:
                yield f"{path.name}: {name} cannot be {value}"


def lint(path):
    command = [pathlib.Path(sys.executable).with_name("cfn-lint"), "--regions", sam.REGION, "--non-zero-exit-code", "error"]
    return subprocess.run([*command, "--", str(path)], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
