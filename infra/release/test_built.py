"""Tests of built.py and sbom.py, and of the release profile."""

import pathlib
import tempfile
import tomllib
import unittest
import zipfile

import built
import sbom


def node(name, *needs, kind=None):
    return {"id": name, "deps": [{"pkg": it, "dep_kinds": [{"kind": kind}]} for it in needs]}


def package(name, source="registry", **more):
    return {"id": name, "name": name, "version": "1.0.0", "source": source, **more}


METADATA = {
    "packages": [
        package("posts", None, license="MIT"), package("mail", None), package("domain", None),
        package("serde", license="MIT/Apache-2.0", repository="https://example.com/serde"), package("proptest"),
    ],
    "workspace_members": ["posts", "mail", "domain"],
    "resolve": {
        "nodes": [
            node("posts", "domain"),
            node("mail", "proptest", kind="dev"),
            node("domain", "serde"),
            node("serde"),
            node("proptest"),
        ]
    },
}
LOCK = {"package": [{"name": "serde", "version": "1.0.0", "checksum": "5e"}, {"name": "posts", "version": "1.0.0"}]}


class Profile(unittest.TestCase):
    """cargo-lambda sets missing fields of the profile. Then a panic would end a function without a response."""

    def test_the_profile_is_complete(self):
        profile = tomllib.loads((built.ROOT / "Cargo.toml").read_text())["profile"]["release"]
        self.assertLessEqual({"codegen-units", "lto", "panic", "strip"}, profile.keys())
        self.assertEqual(profile["panic"], "unwind")


class Built(unittest.TestCase):
    def test_the_same_files_give_the_same_zip(self):
        with tempfile.TemporaryDirectory() as directory:
            hashes = set()
            for year in (2025, 2026):
                path = pathlib.Path(directory) / f"{year}.zip"
                with zipfile.ZipFile(path, "w") as made:
                    made.writestr(zipfile.ZipInfo("bootstrap", (year, 1, 1, 0, 0, 0)), b"code" * 100)
                built.pack(path)
                hashes.add(built.digest(path))
                with zipfile.ZipFile(path) as packed:
                    [entry] = packed.infolist()
                    self.assertEqual((packed.read("bootstrap"), entry.external_attr >> 16), (b"code" * 100, 0o100755))
            self.assertEqual(len(hashes), 1)

    def test_the_sbom_has_the_crates_of_functions_only(self):
        bill = sbom.bill(METADATA, LOCK, {"posts": "ab"})
        components = {it["name"]: it for it in bill["components"]}
        self.assertEqual(sorted(components), ["domain", "posts", "serde"])
        self.assertEqual(components["posts"]["hashes"], [{"alg": "SHA-256", "content": "ab"}])
        self.assertEqual(components["serde"]["hashes"], [{"alg": "SHA-256", "content": "5e"}])
        self.assertEqual(components["serde"]["licenses"], [{"expression": "MIT OR Apache-2.0"}])
        self.assertEqual(components["serde"]["purl"], "pkg:cargo/serde@1.0.0")
        graph = {it["ref"]: it["dependsOn"] for it in bill["dependencies"]}
        serde = "pkg:cargo/serde@1.0.0"
        self.assertEqual(graph, {"social": ["posts"], "posts": ["domain"], "domain": [serde], serde: []})

    def test_the_sbom_excludes_test_dependencies(self):
        bill = sbom.bill(METADATA, LOCK, {"mail": "cd"})
        self.assertEqual([it["name"] for it in bill["components"]], ["mail"])
        self.assertEqual(bill, sbom.bill(METADATA, LOCK, {"mail": "cd"}))


if __name__ == "__main__":
    unittest.main()
