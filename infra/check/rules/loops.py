"""Loops: Lambda drops messages that return to their function, unless the function allows that.

Its recursive loop detection follows messages through queues and functions, and drops them after about 16 rounds
(https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html). A function that continues itself needs
`RecursiveLoop: Allow`, a bound and an alarm. Other functions keep the detection. It does not follow messages through the
table's stream, so jobs that the relay delivers also need a bound.
"""

import networkx

from . import rights
from .resources import alarms, functions, mappings, target

SENDS = {"sqs:SendMessage", "sqs:SendMessageBatch"}
ALLOW = "Allow"


def problems(template):
    watched = alarms(template, "RecursiveInvocationsDropped")
    looping = in_loops(template)
    for name, properties in functions(template).items():
        allowed = properties.get("RecursiveLoop") == ALLOW
        if name in looping and not allowed:
            yield f"{name}: its messages return to it, but it lacks RecursiveLoop: Allow"
        if allowed and name not in looping:
            yield f"{name}: has RecursiveLoop: Allow, but its messages do not return to it"
        if name in looping and name not in watched:
            yield f"{name}: no alarm watches its RecursiveInvocationsDropped"


def in_loops(template):
    """Returns the functions whose messages can return to them, directly or through other functions."""
    sends = networkx.DiGraph()
    for name in functions(template):
        sends.add_edges_from((name, queue) for queue in sent_to(template, name))
    sends.add_edges_from((target(mapping["EventSourceArn"]), target(mapping["FunctionName"])) for mapping in mappings(template).values())
    return {node for ring in networkx.simple_cycles(sends) for node in ring}


def sent_to(template, function):
    for statement in rights.statements(template, function):
        yield from (target(resource) for action, resource in rights.pairs(statement) if action in SENDS and target(resource))
