"""Checks template.yaml offline: lints it as it is written, then as the CloudFormation that it becomes.

The linter misses wrong batch sizes, response types and architectures in a SAM template; in the
translated one it finds them.
"""

import json
import pathlib
import subprocess
import sys

from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator
from samtranslator.yaml_helper import yaml_parse

REGION = "us-east-1"


def translate(text):
    template = yaml_parse(text)
    for resource in template["Resources"].values():
        if resource["Type"] == "AWS::Serverless::Function":
            # Only `sam package` knows where the code will be.
            resource["Properties"]["CodeUri"] = "s3://bucket/key"
    parameters = template.get("Parameters", {}).items()
    defaults = {name: parameter.get("Default", "x") for name, parameter in parameters}
    return Translator({}, Parser()).translate(template, parameter_values=defaults)


def lint(path):
    command = [pathlib.Path(sys.executable).with_name("cfn-lint"), "--regions", REGION, "--non-zero-exit-code", "error"]
    return subprocess.run([*command, str(path)], check=False).returncode


def main(source, target):
    source, target = pathlib.Path(source), pathlib.Path(target)
    target.write_text(json.dumps(translate(source.read_text()), indent=1))
    failed = [path for path in (source, target) if lint(path)]
    for path in failed:
        print(f"{path}: does not pass", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
