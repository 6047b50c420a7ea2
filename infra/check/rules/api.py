"""Routes: valid and unique paths, and settings of existing routes."""

import collections

from .resources import events, of_type

DEFAULT = "$default"


def problems(template):
    routes = collections.Counter()
    for function, event, properties in events(template, "HttpApi"):
        path = properties.get("Path", DEFAULT)
        routes[key(properties)] += 1
        for problem in wrong(path):
            yield f"{function}.{event}: {path} {problem}"
    yield from (f"{route}: {count} functions serve it" for route, count in routes.items() if count > 1)
    for name, api in of_type(template, "AWS::Serverless::HttpApi").items():
        for route in api.get("RouteSettings", {}):
            if route not in routes:
                yield f"{name}: has settings for {route}, which does not exist"
        for wanted in ("AccessLogSettings", "CorsConfiguration", "DefaultRouteSettings"):
            if wanted not in api:
                yield f"{name}: has no {wanted}"
        if "path" in api.get("AccessLogSettings", {}).get("Format", "").lower():
            yield f"{name}: the access log has paths, and some paths contain secrets"


def key(properties):
    path, method = properties.get("Path", DEFAULT), properties.get("Method", "ANY").upper()
    return path if path == DEFAULT else f"{method} {path}"


def wrong(path):
    if path == DEFAULT:
        return
    if not path.startswith("/"):
        yield "does not start with a slash"
    if path != "/" and path.endswith("/"):
        yield "ends with a slash"
    if "+}" in path[:-2]:
        yield "is greedy before its end"
