"""Uploads the page for moderators to the bucket of a stack, if the parameter `Desk` of the stack is `on`.

    desk.py --stack social-prod

Never deletes files from the bucket. Browsers ask for a new version of each file, because file names have no version.
"""

import argparse
import pathlib

import boto3

INFRA = pathlib.Path(__file__).parent.parent
FOLDERS = {
    "src": "desk/src",
    "parts": "desk/parts",
    "views": "desk/views",
    "texts": "desk/texts",
    "style": "desk/style",
    "shared": "app/shared",
    "vendor": "app/vendor",
}
TYPES = {".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".svg": "image/svg+xml"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stack", required=True)
    stack = parser.parse_args().stack
    [described] = boto3.client("cloudformation").describe_stacks(StackName=stack)["Stacks"]
    parameters = {parameter["ParameterKey"]: parameter["ParameterValue"] for parameter in described["Parameters"]}
    outputs = {output["OutputKey"]: output["OutputValue"] for output in described["Outputs"]}
    if parameters["Desk"] == "on":
        upload(boto3.client("s3"), outputs["UploadBucketName"])
        print(f"The page for moderators: {outputs['Url']}/desk")


def upload(s3, bucket):
    """Uploads the files. Uploads index.html last, so that the new page never refers to files that are not uploaded yet."""
    for key, path in files().items():
        content_type = f"{TYPES[path.suffix]}; charset=utf-8"
        s3.put_object(Bucket=bucket, Key=key, Body=path.read_bytes(), ContentType=content_type, CacheControl="no-cache")


def files():
    """Returns the files of the page by their keys."""
    found = {
        f"desk/{folder}/{path.name}": path
        for folder, source in FOLDERS.items()
        for path in sorted((INFRA / source).iterdir())
        if path.suffix in TYPES
    }
    return found | {"desk/index.html": INFRA / "desk" / "index.html"}


if __name__ == "__main__":
    main()
