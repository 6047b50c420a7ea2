"""Tests of english.py."""

import unittest

import english


class English(unittest.TestCase):
    def found(self, file, text):
        return [(place, plain) for place, _, plain in english.problems_of(file, text)]

    def finds(self, file, text, place, plain):
        problems = self.found(file, text)
        self.assertTrue(any(problem[0] == place and plain in problem[1] for problem in problems), problems)

    def test_finds_a_forbidden_word_in_comments_names_and_messages(self):
        self.finds("a.rs", "\n/// Notifies somebody.", "a.rs:2", "name the person")
        self.finds("a.rs", "fn nobody_is_notified() {}", "a.rs:1", "name the person")
        self.finds("a.md", "The relay was told 10 at most.", "a.md:1", "at most 10")

    def test_allows_a_forbidden_word_inside_a_longer_word(self):
        self.assertEqual(self.found("a.rs", "/// Returns the intelligent storyteller."), [])

    def test_finds_a_long_sentence_in_a_comment_of_several_lines(self):
        words = "word " * 12 + "word"
        self.finds("a.rs", f"/// {words}\n/// {words}.", "a.rs:1", "it has 26 words")
        self.assertEqual(self.found("a.rs", f"/// {words}.\n/// {words}."), [])

    def test_finds_a_long_sentence_in_a_list_and_a_table(self):
        words = "word " * 25 + "word"
        self.finds("a.md", f"- {words}", "a.md:1", "it has 26 words")
        self.finds("a.md", f"| {words} |", "a.md:1", "it has 26 words")
        self.assertEqual(self.found("a.md", f"```\n{words}\n```"), [])

    def test_finds_a_parameter_it_with_more_than_one_call(self):
        self.finds("a.rs", "rows.map(|it| it.id() + it.count())", "a.rs:1", "name the parameter")
        self.assertEqual(self.found("a.rs", "rows.map(|it| it.id())"), [])
        self.assertEqual(self.found("a.rs", "rows.filter(|it| !it.is_open())"), [])

    def test_finds_a_long_subject_and_a_subject_with_a_semicolon(self):
        subjects = ["Fix the count", "Fix the count; log it", "x" * 61]
        self.assertEqual([problem[0] for problem in english.long_subjects(subjects)], subjects[1:])


if __name__ == "__main__":
    unittest.main()
