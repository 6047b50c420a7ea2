"""Checks the layers of shared/ and infra/: no cycles between files of different folders, or between modules. Inside a
folder, only a `mod.rs` and its files may use each other. A crate of infra/ uses only the crates in `ALLOWED`.

    layers.py            prints violations
    layers.py --graph    draws the modules, each below those that use it
"""

import pathlib
import sys
import tomllib

import networkx

from imports import Crates

ROOT = pathlib.Path(__file__).parent.parent.parent
SHARED = ROOT / "shared"
INFRA = ROOT / "infra"
# Crates of this workspace that each crate of infra/ may use. `functions` means all of functions/.
ALLOWED = {
    "bench": {"domain", "local", "platform", "wire"},
    "crash": set(),
    "documents": {"domain", "functions", "runtime"},
    "local": {"documents", "domain", "functions", "platform", "runtime"},
    "simulate": {"domain", "local", "platform", "wire"},
    "tools": {"domain", "platform"},
    "wire": {"local"},
}


def main(arguments):
    edges = Crates(sources()).edges()
    if arguments == ["--graph"]:
        print(drawn(modules_of(edges)))
        return 0
    problems = [f"shared: {problem}" for problem in cycles_of(edges)]
    problems += [f"infra: {problem}" for problem in cycles_of(Crates({"local": INFRA / "local" / "src"}).edges())]
    problems += [f"infra: {problem}" for problem in forbidden(manifests())]
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


def sources():
    """Returns the source folders by crate name. Each module of the domain is a crate."""
    modules = {manifest.parent.name: manifest.parent / "src" for manifest in SHARED.glob("domain/*/Cargo.toml")}
    return {"platform": SHARED / "platform" / "src", "runtime": SHARED / "runtime" / "src", **modules}


def manifests():
    """Returns the dependencies of each crate of infra/."""
    return {file.parent.name: set(tomllib.loads(file.read_text())["dependencies"]) for file in INFRA.glob("*/Cargo.toml")}


def forbidden(manifests):
    workspace = {file.parent.name for file in [*ROOT.glob("shared/*/Cargo.toml"), *INFRA.glob("*/Cargo.toml")]} | {"tests"}
    functions = {file.parent.name for file in ROOT.glob("functions/*/Cargo.toml")}
    for name, dependencies in sorted(manifests.items()):
        used = {"functions" if it in functions else it for it in dependencies if it in workspace | functions}
        for other in sorted(used - ALLOWED.get(name, set())):
            yield f"the crate {name} may not use {other}"


def cycles_of(edges):
    return [*file_cycles(edges), *module_cycles(edges)]


def file_cycles(edges):
    for files in cycles(edges):
        folders = {file.parent for file in files}
        others = {(one, other) for one, other in edges if {one, other} <= {it for it in files if it.name not in ("mod.rs", "lib.rs")}}
        if len(folders) > 1 or cycles(others):
            yield f"files use each other in a cycle: {', '.join(sorted(map(short, files)))}"


def module_cycles(edges):
    for names in cycles(modules_of(edges)):
        yield f"modules use each other in a cycle: {', '.join(sorted(names))}"


def cycles(edges):
    graph = networkx.DiGraph(edges)
    return [names for names in networkx.strongly_connected_components(graph) if len(names) > 1]


def modules_of(edges):
    pairs = {(module_of(one), module_of(other)) for one, other in edges}
    return {(one, other) for one, other in pairs if one != other}


def module_of(file):
    """Returns the module of a file: a folder or top-level file of a crate. In the domain, a crate or a file of `base`."""
    crate, *path = relative(file).parts
    if crate == "domain" and path[0] != "base":
        return f"domain/{path[0]}"
    inside = path[path.index("src") + 1]
    return f"{crate}/{inside.removesuffix('.rs')}"


def relative(file):
    return file.relative_to(SHARED if file.is_relative_to(SHARED) else INFRA)


def short(file):
    return str(relative(file)).replace("/src/", "/")


def drawn(edges):
    """Draws each module of the domain below those that use it. Other crates are one box."""
    boxes = {tuple(it.removeprefix("domain/") if it.startswith("domain/") else it.split("/")[0] for it in edge) for edge in edges}
    graph = networkx.DiGraph((one, other) for one, other in boxes if one != other)
    rows = networkx.topological_generations(graph)
    return "\n   ↓\n".join("   ".join(sorted(row)) for row in rows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
