import pathlib
import unittest

import warm

COLD = {name: dict(warm.NEW) for name in ("table", *warm.INDEXES)}
WANTED = {"ReadUnitsPerSecond": 30_000, "WriteUnitsPerSecond": 26_500}


class WarmTest(unittest.TestCase):
    def test_the_need_is_read_from_capacity_md(self):
        self.assertEqual(warm.needed(), WANTED)

    def test_the_price_counts_only_added_units(self):
        self.assertAlmostEqual(warm.price(COLD, WANTED), 4 * (18_000 * 0.00013 + 22_500 * 0.00065))
        done = {name: WANTED for name in COLD}
        self.assertEqual(warm.price(done, WANTED), 0)

    def test_capacity_md_has_the_price_of_a_new_table(self):
        page = (pathlib.Path(warm.__file__).parent.parent / "CAPACITY.md").read_text()
        self.assertIn(f"{warm.price(COLD, warm.needed()):.2f} dollars", " ".join(page.split()))

    def test_an_update_skips_indexes_that_are_already_warm(self):
        update = warm.update("t", COLD | {"gsi2": WANTED}, WANTED)
        self.assertEqual(update["WarmThroughput"], WANTED)
        self.assertEqual([index["Update"]["IndexName"] for index in update["GlobalSecondaryIndexUpdates"]], ["gsi1", "gsi3"])


if __name__ == "__main__":
    unittest.main()
