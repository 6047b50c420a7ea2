"""Switches: conditions add resources to a deployment, and change values.

A wrong condition causes no error. A deployment then lacks its backups, for example.
"""

import functools
import json
import pathlib

import conditions

from .functions import RESERVED

FOLDER = pathlib.Path(__file__).parent.parent.parent / "parameters"
# With these parameters and those of prod.json, all switches are on. With the parameters of dev.json, all are off.
ON = {
    **{name: "given" for name in ("BackupVault", "CanarySecret", "JudgeApiKey", "JwtSecretPrevious", "PusherHost")},
    **{f"ReservedFor{name}": 5 for name in RESERVED},
}
# Resources that exist only if a switch is on.
SWITCHED = {"AlarmMail", "Backups", "Canary", "Front", "FrontAcl", "JudgeKey", "JwtPreviousKey", "NoRequestsAlarm", "OriginKey", "PushKey"}
# Values while the switches are off, and while they are on.
VALUES = {
    "Globals.Function.DeploymentPreference.Type": ("AllAtOnce", "Canary10Percent5Minutes"),
    "Resources.Auth.Properties.Environment.Variables.ORIGIN_SECRET": ("", {"Ref": "OriginKey"}),
    **{
        f"Resources.{name}.Properties.ReservedConcurrentExecutions": ({"Ref": "AWS::NoValue"}, {"Ref": f"ReservedFor{name}"})
        for name in RESERVED
    },
}


def problems(template):
    names = template["Resources"].keys()
    for number, (file, more, wanted) in enumerate([("dev.json", {}, names - SWITCHED), ("prod.json", ON, names)]):
        deployed = conditions.existing(template, json.loads((FOLDER / file).read_text()) | more)
        for name in sorted(wanted ^ deployed["Resources"].keys()):
            yield f"{name}: {'does not exist' if name in wanted else 'exists'} with the parameters of {file}"
        for path, values in VALUES.items():
            if (found := value(deployed, path)) != values[number]:
                yield f"{path} is {found} with the parameters of {file}, not {values[number]}"


def value(template, path):
    """Returns the value at a path, or `None`."""
    return functools.reduce(lambda place, step: (place or {}).get(step), path.split("."), template)
