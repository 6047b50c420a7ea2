"""Loops: Lambda cuts off a function whose messages come back to it, unless it says that they may.

Its recursive loop detection follows messages through queues and functions, and drops them after about 16 rounds
(https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html). What continues itself says
`RecursiveLoop: Allow`, bounds itself, and has an alarm; what does not, keeps the detection. It does not follow what
goes by the table and its stream, so what a worker has delivered by the relay bounds itself too.
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
            yield f"{name}: its messages come back to it, and it has no RecursiveLoop: Allow"
        if allowed and name not in looping:
            yield f"{name}: has RecursiveLoop: Allow, and its messages do not come back to it"
        if name in looping and name not in watched:
            yield f"{name}: no alarm watches its RecursiveInvocationsDropped"


def in_loops(template):
    """The functions that may send what, by one function or several, calls them."""
    sends = networkx.DiGraph()
    for name in functions(template):
        sends.add_edges_from((name, queue) for queue in sent_to(template, name))
    sends.add_edges_from((target(it["EventSourceArn"]), target(it["FunctionName"])) for it in mappings(template).values())
    return {node for ring in networkx.simple_cycles(sends) for node in ring}


def sent_to(template, function):
    for statement in rights.statements(template, function):
        yield from (target(it) for action, it in rights.pairs(statement) if action in SENDS and target(it))
