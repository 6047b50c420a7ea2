"""Finds which files of a crate use each other. Follows `use` statements and paths through re-exports to the definition.
Ignores tests and methods."""

import pathlib
import re

NAME = r"[A-Za-z_]\w*"
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
TEXT = re.compile(r'b?r(#*)".*?"\1|"(?:\\.|[^"\\])*"', re.S)
VISIBILITY = re.compile(r"\bpub\(in [^)]*\)")
TESTS = re.compile(r"#\[cfg\(test\)\]\s*mod \w+(?:;| \{.*?^\})", re.S | re.M)
USE = re.compile(r"^[ \t]*(?:pub(?:\([^)]*\))? )?use ([^;]+);", re.M)
CHILD = re.compile(r"^[ \t]*(?:pub(?:\([^)]*\))? )?mod (\w+);", re.M)
ITEM = re.compile(rf"\b(?:fn|struct|enum|trait|type|const|static|union) ({NAME})")
PATH = re.compile(rf"(?<![\w:]){NAME}(?:::{NAME})+")


class Module:
    def __init__(self, crate, path, file):
        self.crate, self.path, self.file = crate, path, file
        text = VISIBILITY.sub("pub", TESTS.sub("", COMMENT.sub("", TEXT.sub('""', file.read_text()))))
        self.uses = [leaf for use in USE.findall(text) for leaf in leaves(use)]
        self.names = {alias: path for path, alias in self.uses if alias != "*"}
        self.globs = [path for path, alias in self.uses if alias == "*"]
        body = USE.sub("", text)
        self.items = set(ITEM.findall(body))
        self.paths = [path.split("::") for path in PATH.findall(body)]
        self.children = {}
        for name in CHILD.findall(text):
            self.add(name)

    def add(self, name):
        folder = self.file.parent if self.file.name in ("lib.rs", "mod.rs") else self.file.with_suffix("")
        files = [file for file in (folder / f"{name}.rs", folder / name / "mod.rs") if file.exists()]
        for file in files:
            self.children[name] = Module(self.crate, [*self.path, name], file)

    def all(self):
        yield self
        for child in self.children.values():
            yield from child.all()


def leaves(use, before=()):
    """Returns the paths of a `use` with their names."""
    group = re.fullmatch(r"(.*?)\{(.*)\}\s*", use, re.S)
    if group:
        before = (*before, *[step.strip() for step in group[1].split("::") if step.strip()])
        for part in parts(group[2]):
            yield from leaves(part, before)
        return
    path, _, alias = use.strip().partition(" as ")
    path = [*before, *[step.strip() for step in path.split("::")]]
    path = path[:-1] if path[-1] == "self" else path
    yield path, alias.strip() or path[-1]


def parts(group):
    depth, part = 0, ""
    for character in group + ",":
        depth += (character == "{") - (character == "}")
        if character == "," and depth == 0:
            if part.strip():
                yield part.strip()
            part = ""
        else:
            part += character


class Crates:
    """Crates by name, with the folders of their sources."""

    def __init__(self, sources):
        self.roots = {name: Module(name, [], pathlib.Path(source) / "lib.rs") for name, source in sources.items()}

    def edges(self):
        """Returns pairs of files: the file with the use, and the file with the definition."""
        return {edge for root in self.roots.values() for module in root.all() for edge in self.edges_of(module)}

    def edges_of(self, module):
        imported = [path for path, alias in module.uses if not self.is_module(module, path, alias)]
        inline = [[*module.names.get(path[0], [path[0]]), *path[1:]] for path in module.paths]
        for path in [*imported, *inline]:
            defined = self.find(module, path)
            if defined and defined != module.file:
                yield module.file, defined

    def is_module(self, module, path, alias):
        """Returns whether a path imports a module or re-exports an item. Neither counts as a use."""
        start = self.start(module, path)
        at, rest = start if start else (None, [])
        while at and rest and rest[0] in at.children:
            at, rest = at.children[rest[0]], rest[1:]
        return not rest or alias == "*" or path[0] in module.children

    def start(self, module, path):
        """Returns the module where a path starts, and the rest of the path."""
        if path[0] in ("crate", "self"):
            return (self.roots[module.crate] if path[0] == "crate" else module), path[1:]
        if path[0] == "super":
            return self.start_above(module, path)
        if path[0] in module.children:
            return module, path
        return (self.roots[path[0]], path[1:]) if path[0] in self.roots else None

    def start_above(self, module, path):
        up = next((at for at, step in enumerate(path) if step != "super"), len(path))
        at = self.roots[module.crate]
        for step in module.path[: len(module.path) - up]:
            at = at.children[step]
        return at, path[up:]

    def find(self, module, path, seen=frozenset()):
        """Returns the file that defines the item of a path, or `None` outside of these crates."""
        start = self.start(module, path)
        if not start:
            return None
        at, rest = start
        while rest and rest[0] in at.children:
            at, rest = at.children[rest[0]], rest[1:]
        if rest and rest[0] not in at.items and (at.file, rest[0]) not in seen:
            seen = seen | {(at.file, rest[0])}
            exports = [at.names[rest[0]]] if rest[0] in at.names else [[*glob[:-1], rest[0]] for glob in at.globs]
            for export in exports:
                return self.find(at, [*export, *rest[1:]], seen) or at.file
        return at.file if at.path or (rest and rest[0] in at.items) else None
