"""Deploys template.yaml to an emulator of AWS, without docker and without the SAM CLI.

    AWS_ENDPOINT_URL=http://127.0.0.1:4566 deploy.py --bootstraps target/debug [--parameters FILE]

Prints the URL of the API. The bootstraps must be built for the emulator's machine.
"""

import argparse
import contextlib
import hashlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile
from types import SimpleNamespace

import boto3
from botocore.exceptions import ClientError, WaiterError
from samtranslator.translator.transform import transform

sys.path.append(str(pathlib.Path(__file__).parent.parent / "check"))
import sam  # noqa: E402 — the reader of `make check`
from parameters import release  # noqa: E402

STACK = "social"
BUCKET = "bootstraps"
FUNCTION = "AWS::Serverless::Function"
INTEGRATION = "x-amazon-apigateway-integration"
ANY = "x-amazon-apigateway-any-method"
# Timeout of functions, and visibility timeout of queues, on the emulator.
PATIENCE_SECONDS = 120


def main():
    options = arguments()
    use(os.environ["AWS_ENDPOINT_URL"])
    parameters = json.loads(options.parameters.read_text()) if options.parameters else {}
    print(deploy(options.template, options.bootstraps, parameters)["Url"])


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--template", type=pathlib.Path, default="template.yaml")
    parser.add_argument("--bootstraps", type=pathlib.Path, required=True, help="folder with a binary for each function")
    parser.add_argument("--parameters", type=pathlib.Path, help="JSON file of parameters that differ from the defaults")
    return parser.parse_args()


def use(endpoint):
    """Uses this emulator, with test credentials unless others are set."""
    os.environ["AWS_ENDPOINT_URL"] = endpoint
    for name, value in {"REGION": "us-east-1", "ACCESS_KEY_ID": "test", "SECRET_ACCESS_KEY": "test"}.items():
        os.environ.setdefault(f"AWS_{name}", value)
    os.environ.setdefault("AWS_DEFAULT_REGION", os.environ["AWS_REGION"])


def deploy(template, bootstraps, parameters):
    """Deploys the stack. Returns its outputs, and the URL of its API on the emulator."""
    text = template.read_text()
    template = sam.read(text)
    values = defaults(template) | parameters
    upload(template, bootstraps)
    template["Globals"]["Function"]["Environment"]["Variables"]["RELEASE"] = release(text, values)
    template = transform(template, {}, SimpleNamespace(load=dict))
    leave_out_unsupported(template)
    open_uploads(template)
    simplify_emails(template)
    give_time(template)
    template["Conditions"] = split(template["Conditions"], values)
    expand_apis(template)
    verify(values["MailIdentity"])
    return apply(template, parameters)


def upload(template, bootstraps):
    """Uploads the bootstrap of each function for the stack."""
    s3 = boto3.client("s3")
    s3.create_bucket(Bucket=BUCKET)
    for function in template["Resources"].values():
        if function["Type"] == FUNCTION:
            binary = function["Metadata"]["BuildProperties"]["Binary"]
            # Each build has its own key. Code with the same key would not be deployed again.
            body = zipped(bootstraps / binary)
            key = f"{binary}-{hashlib.sha256(body).hexdigest()[:16]}"
            s3.put_object(Bucket=BUCKET, Key=key, Body=body)
            function["Properties"]["CodeUri"] = {"Bucket": BUCKET, "Key": key}


def zipped(binary):
    """Returns a zip of the binary without symbols, which are most of a debug build."""
    with tempfile.NamedTemporaryFile() as bare:
        subprocess.run(["strip", "-o", bare.name, binary], check=True)
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            entry = zipfile.ZipInfo("bootstrap")
            entry.external_attr = 0o755 << 16
            archive.writestr(entry, pathlib.Path(bare.name).read_bytes(), zipfile.ZIP_DEFLATED, compresslevel=1)
        return buffer.getvalue()


def leave_out_unsupported(template):
    """Removes what the emulator does not have: dashboards, alarms, budgets, gradual deployments, and events of SES."""
    lacking = ("AWS::Budgets::", "AWS::CloudWatch::", "AWS::CloudFormation::Stack", "AWS::CodeDeploy::", "AWS::SES::")
    names = [name for name, it in template["Resources"].items() if it["Type"].startswith(lacking)]
    for name in [*names, "CodeDeployServiceRole"]:
        del template["Resources"][name]
    for resource in template["Resources"].values():
        resource.pop("UpdatePolicy", None)


def open_uploads(template):
    """Makes uploads public, because the emulator has no CloudFront. URLs of uploads then refer to the bucket."""
    resources = template["Resources"]
    for statement in resources["UploadBucketPolicy"]["Properties"]["PolicyDocument"]["Statement"]:
        statement["Principal"] = "*"
        del statement["Condition"]
    resources["UploadBucket"]["Properties"]["PublicAccessBlockConfiguration"] |= {"BlockPublicPolicy": False, "RestrictPublicBuckets": False}
    for resource in resources.values():
        variables = resource["Properties"].get("Environment", {}).get("Variables", {}) if resource["Type"] == "AWS::Lambda::Function" else {}
        if "FILES_URL" in variables:
            variables["FILES_URL"] = ""


def simplify_emails(template):
    """Removes what the emulator's SES does not support: configuration sets, and the condition on the sender."""
    for resource in template["Resources"].values():
        variables = resource["Properties"].get("Environment", {}).get("Variables", {}) if resource["Type"] == "AWS::Lambda::Function" else {}
        variables.pop("MAIL_EVENTS", None)
        if resource["Type"] == "AWS::IAM::ManagedPolicy":
            for statement in resource["Properties"]["PolicyDocument"]["Statement"]:
                if statement.get("Action") == "ses:SendEmail":
                    del statement["Condition"]


def give_time(template):
    """Raises timeouts, because a busy machine with debug builds is slower than AWS."""
    slower = {"AWS::Lambda::Function": "Timeout", "AWS::SQS::Queue": "VisibilityTimeout"}
    for resource in template["Resources"].values():
        if name := slower.get(resource["Type"]):
            resource["Properties"][name] = PATIENCE_SECONDS


def defaults(template):
    return {name: str(it["Default"]) for name, it in template["Parameters"].items() if "Default" in it}


def split(condition, values):
    """Resolves `Fn::Split` in conditions, which the emulator does not support."""
    match condition:
        case {"Fn::Split": [separator, {"Ref": name}]}:
            return values[name].split(separator)
        case dict():
            return {key: split(it, values) for key, it in condition.items()}
        case list():
            return [split(part, values) for part in condition]
    return condition


def expand_apis(template):
    """Creates a resource per route. SAM describes routes in an OpenAPI document, which the emulator does not read."""
    apis = {name: it for name, it in template["Resources"].items() if it["Type"] == "AWS::ApiGatewayV2::Api"}
    for api, resource in apis.items():
        document = resource["Properties"].pop("Body")
        resource["Properties"] |= {"Name": api, "ProtocolType": "HTTP"}
        if cors := document.get("x-amazon-apigateway-cors"):
            resource["Properties"]["CorsConfiguration"] = cors
        template["Resources"] |= routes(api, document["paths"])


def routes(api, paths):
    """Returns a route for each operation, and an integration for each function."""
    resources, integrations = {}, {}
    operations = [(path, method, it) for path, methods in paths.items() for method, it in methods.items()]
    for number, (path, method, operation) in enumerate(operations):
        integration = operation[INTEGRATION]
        target = json.dumps(integration["uri"])
        if target not in integrations:
            integrations[target] = f"{api}Integration{len(integrations)}"
            resources[integrations[target]] = of_api(api, "Integration", {
                "IntegrationType": "AWS_PROXY",
                "IntegrationUri": integration["uri"],
                "PayloadFormatVersion": integration["payloadFormatVersion"],
            })
        verb = "ANY" if method == ANY else method.upper()
        resources[f"{api}Route{number}"] = of_api(api, "Route", {
            "RouteKey": "$default" if path.endswith("$default") else f"{verb} {path}",
            "Target": {"Fn::Sub": f"integrations/${{{integrations[target]}}}"},
        })
    return resources


def verify(identity):
    """Creates the SES identity, as an operator does before a deployment."""
    with contextlib.suppress(ClientError):
        boto3.client("sesv2").create_email_identity(EmailIdentity=identity)


def of_api(api, kind, properties):
    return {"Type": f"AWS::ApiGatewayV2::{kind}", "Properties": {"ApiId": {"Ref": api}, **properties}}


def apply(template, parameters):
    """Creates or updates the stack."""
    cloudformation = boto3.client("cloudformation")
    verb = "update" if is_there(cloudformation) else "create"
    pairs = [{"ParameterKey": name, "ParameterValue": value} for name, value in parameters.items()]
    # The template is too long for a request.
    boto3.client("s3").put_object(Bucket=BUCKET, Key="template", Body=json.dumps(template))
    url = f"{os.environ['AWS_ENDPOINT_URL']}/{BUCKET}/template"
    getattr(cloudformation, f"{verb}_stack")(
        StackName=STACK, TemplateURL=url, Parameters=pairs, Capabilities=["CAPABILITY_IAM"])
    try:
        wait(cloudformation, f"stack_{verb}_complete")
    except WaiterError as error:
        for event in cloudformation.describe_stack_events(StackName=STACK)["StackEvents"]:
            if reason := event.get("ResourceStatusReason"):
                print(event["LogicalResourceId"], event["ResourceStatus"], reason, file=sys.stderr)
        sys.exit(f"failed to deploy the stack: {error}")
    [stack] = cloudformation.describe_stacks(StackName=STACK)["Stacks"]
    outputs = {output["OutputKey"]: output["OutputValue"] for output in stack["Outputs"]}
    return outputs | {"Url": address(cloudformation)}


def is_there(cloudformation):
    """Returns whether the stack exists. Deletes a stack whose creation failed, and returns false."""
    try:
        [stack] = cloudformation.describe_stacks(StackName=STACK)["Stacks"]
    except ClientError:
        return False
    if stack["StackStatus"] != "ROLLBACK_COMPLETE":
        return True
    cloudformation.delete_stack(StackName=STACK)
    wait(cloudformation, "stack_delete_complete")
    return False


def wait(cloudformation, state):
    cloudformation.get_waiter(state).wait(StackName=STACK, WaiterConfig={"Delay": 1, "MaxAttempts": 300})


def address(cloudformation):
    """Returns the URL of the API on the emulator."""
    resources = cloudformation.describe_stack_resources(StackName=STACK)["StackResources"]
    [api] = [resource["PhysicalResourceId"] for resource in resources if resource["ResourceType"] == "AWS::ApiGatewayV2::Api"]
    return f"{os.environ['AWS_ENDPOINT_URL']}/_aws/execute-api/{api}/$default"


if __name__ == "__main__":
    main()
