"""Prints the parameters of a deployment: the template's defaults, replaced by those of the stage's file.

    parameters.py TEMPLATE STAGE.json [BUILT]

Also writes the release into the built template, so that a changed parameter publishes new versions of the functions.

CloudFormation keeps the previous value of a parameter that a deployment does not send. So without the defaults,
deleting a line from the file would have no effect.
https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_Parameter.html
"""

import hashlib
import json
import pathlib
import sys

import yaml

UNRELEASED = "RELEASE: unreleased"


def merged(template, stage):
    """Returns all parameters. Fails for a parameter that the template does not have."""
    # This loader reads every value as text, and ignores the tags of intrinsic functions.
    known = yaml.load(template, Loader=yaml.BaseLoader)["Parameters"]
    unknown = sorted(stage.keys() - known.keys())
    if unknown:
        raise SystemExit(f"the template has no parameter {', '.join(unknown)}")
    return {name: it["Default"] for name, it in known.items() if "Default" in it} | stage


def release(template, values):
    """Returns a hash of all that a version of a function can depend on, except the code."""
    return hashlib.sha256((template + json.dumps(values, sort_keys=True)).encode()).hexdigest()[:16]


def released(built, name):
    """Returns the built template with the name of the release. Fails if the template does not have the placeholder."""
    if UNRELEASED not in built:
        raise SystemExit(f"the built template lacks {UNRELEASED}")
    return built.replace(UNRELEASED, f"RELEASE: {name}")


def main(template, stage, built=None):
    template = pathlib.Path(template).read_text()
    values = merged(template, json.loads(pathlib.Path(stage).read_text()))
    if built:
        built = pathlib.Path(built)
        built.write_text(released(built.read_text(), release(template, values)))
    print(json.dumps(values, indent=2))


if __name__ == "__main__":
    main(*sys.argv[1:])
