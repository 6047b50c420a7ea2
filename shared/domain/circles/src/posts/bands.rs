//! The HP and EXP that a circle gains for a score.

use judge::Score;

/// Returns the HP and EXP for a score. HP are negative for a bad score.
pub(super) fn hp_and_exp(score: Score) -> (i64, i64) {
    match score.whole() {
        9.. => (5, 10),
        7 | 8 => (3, 6),
        5 | 6 => (1, 2),
        3 | 4 => (0, 0),
        1 | 2 => (-1, 0),
        0 => (-3, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_decimals_of_a_score_do_not_affect_hp() {
        for (scores, expected) in [
            ([9.0, 10.0], (5, 10)),
            ([7.0, 8.99], (3, 6)),
            ([5.0, 6.9], (1, 2)),
            ([3.0, 4.9], (0, 0)),
            ([1.0, 2.9], (-1, 0)),
            ([0.0, 0.9], (-3, 0)),
        ] {
            for score in scores {
                assert_eq!(hp_and_exp(Score::clamped(score)), expected, "{score}");
            }
        }
    }
}
