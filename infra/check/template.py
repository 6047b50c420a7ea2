"""Checks template.yaml offline: lints it as it is written and as the CloudFormation that it becomes,
then holds it to the rules of this house.

The linter misses wrong batch sizes, response types and architectures in a SAM template; in the
translated one it finds them. What it misses in both is in rules.py.
"""

import json
import pathlib
import subprocess
import sys

import sam

REGION = "us-east-1"


def lint(path):
    command = [pathlib.Path(sys.executable).with_name("cfn-lint"), "--regions", REGION, "--non-zero-exit-code", "error"]
    return subprocess.run([*command, "--", str(path)], check=False).returncode


def main(source, target, *others):
    source, target = pathlib.Path(source), pathlib.Path(target)
    target.write_text(json.dumps(sam.translate(sam.read(source.read_text())), indent=1))
    failed = [path for path in (source, target, *others) if lint(path)]
    for path in failed:
        print(f"{path}: does not pass", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
