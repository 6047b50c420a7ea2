import unittest

import warm

COLD = {name: dict(warm.NEW) for name in ("table", *warm.INDEXES)}
WANTED = {"ReadUnitsPerSecond": 30_000, "WriteUnitsPerSecond": 26_500}


class WarmTest(unittest.TestCase):
    def test_the_need_is_read_from_the_page(self):
        self.assertEqual(warm.needed(), WANTED)

    def test_only_added_units_are_paid(self):
        self.assertAlmostEqual(warm.price(COLD, WANTED), 4 * (18_000 * 0.00013 + 22_500 * 0.00065))
        done = {name: WANTED for name in COLD}
        self.assertEqual(warm.price(done, WANTED), 0)

    def test_the_table_and_each_index_are_warmed(self):
        update = warm.update("t", COLD | {"gsi2": WANTED}, WANTED)
        self.assertEqual(update["WarmThroughput"], WANTED)
        self.assertEqual([it["Update"]["IndexName"] for it in update["GlobalSecondaryIndexUpdates"]], ["gsi1", "gsi3"])


if __name__ == "__main__":
    unittest.main()
