"""CloudFront in front of the API: a web ACL limits requests, and the API gets the headers that it reads."""

import pathlib
import re

from .resources import of_type, target

READER = "shared/runtime/src/http/front.rs"
READ = re.compile(r'HeaderName::from_static\("([\w-]+)"\)')
WRITTEN = re.compile(r"headers\['([\w-]+)'\] =")


def problems(template, config):
    """Yields the problems of a distribution with the API as an origin."""
    if config.get("WebACLId") != {"Ref": "WebAcl"}:
        yield "no web ACL limits requests to the API"
    called = {target(it["FunctionARN"]) for it in config["DefaultCacheBehavior"].get("FunctionAssociations", [])}
    if not called:
        yield "does not forward the address of the viewer"
    written, read = headers(template, config, called), headers_read()
    if written != read:
        yield f"sends the headers {sorted(written)}, but {READER} reads {sorted(read)}"


def headers(template, config, called):
    """Returns the headers that the origin and its functions add."""
    code = "".join(it["FunctionCode"] for name, it in of_type(template, "AWS::CloudFront::Function").items() if name in called)
    [api] = [origin for origin in config["Origins"] if origin["Id"] == "api"]
    return {header["HeaderName"] for header in api.get("OriginCustomHeaders", [])} | set(WRITTEN.findall(code))


def headers_read():
    return set(READ.findall((pathlib.Path(__file__).parents[3] / READER).read_text()))
