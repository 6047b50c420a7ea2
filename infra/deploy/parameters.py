"""Prints the parameters of a deployment: the template's defaults, replaced by those of the stage's file.

    parameters.py TEMPLATE STAGE.json

CloudFormation keeps the previous value of a parameter that a deployment does not send. So without the defaults,
deleting a line from the file would have no effect.
https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_Parameter.html
"""

import json
import pathlib
import sys

import yaml


def merged(template, stage):
    """Returns all parameters. Fails for a parameter that the template does not have."""
    # This loader reads every value as text, and ignores the tags of intrinsic functions.
    known = yaml.load(template, Loader=yaml.BaseLoader)["Parameters"]
    unknown = sorted(stage.keys() - known.keys())
    if unknown:
        raise SystemExit(f"the template has no parameter {', '.join(unknown)}")
    return {name: it["Default"] for name, it in known.items() if "Default" in it} | stage


if __name__ == "__main__":
    template, stage = map(pathlib.Path, sys.argv[1:])
    print(json.dumps(merged(template.read_text(), json.loads(stage.read_text())), indent=2))
