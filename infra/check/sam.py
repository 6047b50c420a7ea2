"""A SAM template as CloudFormation sees it: with unrolled loops and translated functions."""

import copy
import logging

import boto3
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator
from samtranslator.yaml_helper import yaml_parse

# Hides warnings of samtranslator about AWS features that it cannot look up, and about its own metrics.
logging.getLogger("samtranslator").setLevel(logging.ERROR)

LOOP = "Fn::ForEach::"
REGION = "us-east-1"


def read(text):
    """Returns the template with unrolled loops, like `AWS::LanguageExtensions`."""
    template = yaml_parse(text)
    template["Transform"] = "AWS::Serverless-2016-10-31"
    template["Resources"] = unroll(template["Resources"])
    return template


def unroll(resources):
    unrolled = {}
    for key, value in resources.items():
        if not key.startswith(LOOP):
            unrolled[key] = value
            continue
        variable, names, body = value
        for name in names:
            for resource, content in body.items():
                unrolled[resource.replace(f"${{{variable}}}", name)] = fill(content, variable, name)
    return unrolled


def fill(value, variable, name):
    """Replaces the variable with the name, in `Ref` and in the text of `Fn::Sub`."""
    if isinstance(value, list):
        return [fill(item, variable, name) for item in value]
    if not isinstance(value, dict):
        return value
    if value == {"Ref": variable}:
        return name
    if isinstance(value.get("Fn::Sub"), str):
        text = value["Fn::Sub"].replace(f"${{{variable}}}", name)
        return {"Fn::Sub": text} if "${" in text else text
    return {key: fill(item, variable, name) for key, item in value.items()}


def translate(template):
    """Returns the translation of an unrolled template, without changing the template."""
    template = copy.deepcopy(template)
    for resource in template["Resources"].values():
        # Only `sam package` knows these addresses.
        if resource["Type"] == "AWS::Serverless::Function":
            resource["Properties"]["CodeUri"] = "s3://bucket/key"
        if resource["Type"] == "AWS::CloudFormation::Stack":
            resource["Properties"]["TemplateURL"] = "https://bucket.s3.amazonaws.com/key"
    parameters = template.get("Parameters", {}).items()
    defaults = {name: parameter.get("Default", "x") for name, parameter in parameters}
    session = boto3.Session(region_name=REGION)
    return Translator({}, Parser(), boto_session=session).translate(template, parameter_values=defaults)
