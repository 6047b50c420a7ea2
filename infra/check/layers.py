"""Holds the crates of shared/ to their layers: no cycle between files of different folders, none inside a
folder but between a `mod.rs` and its files, and none between neighbourhoods.

    layers.py            says what breaks this
    layers.py --graph    draws the neighbourhoods, each below those that use it
"""

import pathlib
import sys

import networkx

from imports import Crates

SHARED = pathlib.Path(__file__).parent.parent.parent / "shared"


def main(arguments):
    edges = Crates(sources()).edges()
    if arguments == ["--graph"]:
        print(drawn(neighbourhoods(edges)))
        return 0
    problems = [*file_cycles(edges), *neighbourhood_cycles(edges)]
    for problem in problems:
        print(f"shared: {problem}", file=sys.stderr)
    return 1 if problems else 0


def sources():
    """The folders of the sources, by the names that crates give each other. Each module of the domain is a crate."""
    modules = {manifest.parent.name: manifest.parent / "src" for manifest in SHARED.glob("domain/*/Cargo.toml")}
    return {"platform": SHARED / "platform" / "src", "runtime": SHARED / "runtime" / "src", **modules}


def file_cycles(edges):
    for files in cycles(edges):
        folders = {file.parent for file in files}
        others = {(one, other) for one, other in edges if {one, other} <= {it for it in files if it.name not in ("mod.rs", "lib.rs")}}
        if len(folders) > 1 or cycles(others):
            yield f"files use each other in a circle: {', '.join(sorted(map(short, files)))}"


def neighbourhood_cycles(edges):
    for names in cycles(neighbourhoods(edges)):
        yield f"neighbourhoods use each other in a circle: {', '.join(sorted(names))}"


def cycles(edges):
    graph = networkx.DiGraph(edges)
    return [names for names in networkx.strongly_connected_components(graph) if len(names) > 1]


def neighbourhoods(edges):
    pairs = {(neighbourhood(one), neighbourhood(other)) for one, other in edges}
    return {(one, other) for one, other in pairs if one != other}


def neighbourhood(file):
    """A folder of a crate, or a file that lies beside these. In the domain: a crate, or a file of `base`."""
    crate, *path = file.relative_to(SHARED).parts
    if crate == "domain" and path[0] != "base":
        return f"domain/{path[0]}"
    inside = path[path.index("src") + 1]
    return f"{crate}/{inside.removesuffix('.rs')}"


def short(file):
    return str(file.relative_to(SHARED)).replace("/src/", "/")


def drawn(edges):
    """Each neighbourhood of the domain stands below those that use it; a crate beside it is one box."""
    boxes = {tuple(it.removeprefix("domain/") if it.startswith("domain/") else it.split("/")[0] for it in edge) for edge in edges}
    graph = networkx.DiGraph((one, other) for one, other in boxes if one != other)
    rows = networkx.topological_generations(graph)
    return "\n   ↓\n".join("   ".join(sorted(row)) for row in rows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
