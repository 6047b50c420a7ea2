"""Tests of layers.py."""

import pathlib
import tempfile
import unittest

import layers
from imports import Crates


class Cycles(unittest.TestCase):
    def problems(self, files):
        """Returns the problems of a crate `platform` with these files."""
        with tempfile.TemporaryDirectory() as folder:
            layers.SHARED = pathlib.Path(folder)
            for name, text in files.items():
                file = layers.SHARED / "platform" / "src" / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            edges = Crates({"platform": layers.SHARED / "platform" / "src"}).edges()
            return layers.cycles_of(edges)

    def finds(self, files, *names):
        problems = self.problems(files)
        self.assertTrue(any(all(name in problem for name in names) for problem in problems), problems)

    def test_two_folders_cannot_use_each_other(self):
        one = "use crate::two::b::B;\npub struct A;\npub struct Other;"
        two = "use crate::one::a::A;\npub struct B;"
        files = {"lib.rs": "mod one;\nmod two;", "one/mod.rs": "pub mod a;", "two/mod.rs": "pub mod b;"}
        self.finds({**files, "one/a.rs": one, "two/b.rs": two}, "platform/one/a.rs", "platform/two/b.rs")

    def test_a_cycle_through_a_re_export_and_a_path_is_found(self):
        files = {"lib.rs": "mod one;\nmod two;", "one/mod.rs": "mod a;\npub use a::made;", "two/mod.rs": "pub mod b;"}
        one = "use crate::two;\npub fn made() { two::b::used() }"
        two = "pub fn used() { crate::one::made() }"
        self.finds({**files, "one/a.rs": one, "two/b.rs": two}, "platform/one/a.rs", "platform/two/b.rs")

    def test_modules_cannot_use_each_other_by_different_files(self):
        files = {
            "lib.rs": "mod one;\nmod two;",
            "one/mod.rs": "pub mod a;\npub mod c;", "one/a.rs": "use crate::two::b::B;", "one/c.rs": "pub struct C;",
            "two/mod.rs": "pub mod b;\npub mod d;", "two/b.rs": "pub struct B;", "two/d.rs": "use crate::one::c::C;",
        }
        self.finds(files, "modules", "platform/one", "platform/two")

    def test_files_of_a_folder_cannot_use_each_other(self):
        files = {"lib.rs": "mod one;", "one/mod.rs": "mod a;\nmod b;"}
        files |= {"one/a.rs": "use super::b::B;\npub struct A;", "one/b.rs": "use super::a::A;\npub struct B;"}
        self.finds(files, "platform/one/a.rs", "platform/one/b.rs")

    def test_a_folder_and_its_files_can_use_each_other(self):
        files = {"lib.rs": "mod one;", "one/mod.rs": "mod a;\npub use a::A;\npub fn of(_: A) {}\npub struct B;"}
        self.assertEqual(self.problems({**files, "one/a.rs": "use super::B;\npub struct A;\nfn b() -> B { B }"}), [])

    def test_comments_strings_and_tests_are_ignored(self):
        tests = "#[cfg(test)]\nmod tests {\n    use crate::two::b::B;\n}\n"
        one = f"//! See [`crate::two::b::B`].\npub struct A;\nconst TEXT: &str = \"crate::two::b::B\";\n{tests}"
        files = {"lib.rs": "mod one;\nmod two;", "one/mod.rs": "pub mod a;", "two/mod.rs": "pub mod b;"}
        self.assertEqual(self.problems({**files, "one/a.rs": one, "two/b.rs": "use crate::one::a::A;\npub struct B;"}), [])

    def test_a_visibility_path_does_not_count_as_a_use(self):
        files = {"lib.rs": "mod one;", "one/mod.rs": "mod two;\npub use two::a::A;\npub fn of(_: A) {}", "one/two/mod.rs": "pub mod a;"}
        self.assertEqual(self.problems({**files, "one/two/a.rs": "pub(in crate::one) struct A;"}), [])


class Dependencies(unittest.TestCase):
    def test_a_crate_of_infra_uses_allowed_crates_only(self):
        used = {"local": {"domain", "posts", "serde"}, "tools": {"domain", "local"}, "simulate": {"tests"}}
        problems = ["the crate simulate may not use tests", "the crate tools may not use local"]
        self.assertEqual(list(layers.forbidden(used)), problems)


if __name__ == "__main__":
    unittest.main()
