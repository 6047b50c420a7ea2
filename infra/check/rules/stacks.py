"""Nested stacks: the main template gives them its resources and parameters, and publishes the address of the API."""

from .resources import of_type

# CloudFront's address, if CloudFront is in front of the API. Otherwise the address of the API itself.
API = {"Fn::Sub": "https://${Api}.execute-api.${AWS::Region}.${AWS::URLSuffix}"}
URL = {"Fn::If": ["FrontGiven", {"Fn::GetAtt": ["Front", "Outputs.Url"]}, API]}
RETENTION = {"LogRetentionDays": {"Ref": "LogRetentionDays"}}
GIVEN = {
    "infra/backup.yaml": {
        "TableArn": {"Fn::GetAtt": ["TableArn", "Value"]}, "BucketArn": {"Fn::GetAtt": ["UploadBucket", "Arn"]},
        "CopyVault": {"Ref": "BackupVault"},
    },
    "infra/canary.yaml": {"Url": URL, "Secret": {"Ref": "CanarySecret"}, **RETENTION},
    "infra/dashboard.yaml": {"AlarmEmail": {"Ref": "AlarmEmail"}, "MonthlyBudget": {"Ref": "MonthlyBudget"}},
    "infra/files.yaml": RETENTION,
    "infra/front.yaml": {"WebAcl": {"Fn::If": ["FrontAclMade", {"Fn::GetAtt": ["FrontAcl", "Outputs.Arn"]}, {"Ref": "FrontWebAcl"}]}},
}


def problems(template):
    for name, stack in of_type(template, "AWS::CloudFormation::Stack").items():
        for parameter, wanted in GIVEN.get(stack["TemplateURL"], {}).items():
            given = stack.get("Parameters", {}).get(parameter)
            if given != wanted:
                yield f"{name}: {parameter} is {given}, not {wanted}"
    if template["Outputs"]["Url"]["Value"] != URL:
        yield "Outputs: Url is not the public address of the API"
