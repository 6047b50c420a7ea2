//! What a language model answered, held to the form that was asked for.

use anyhow::{Context, Result as Anyhow, bail};
use serde::Deserialize;

use super::{Confidence, Verdict};

const NOTE_MAX_CHARS: usize = 500;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    confidence: f64,
    note: String,
}

/// Reads the one object that the answer must be. What it says is not repeated in an error: it may
/// repeat what people wrote.
///
/// # Errors
/// It is something else.
pub(super) fn read(text: &str) -> Anyhow<Verdict> {
    let answer: Result<Answer, _> = serde_json::from_str(text);
    let Ok(Answer { confidence, note }) = answer else { bail!("the model's answer is malformed") };
    let confidence = Confidence::clamped(confidence).context("the model's confidence is no number")?;
    let note = note.chars().filter(|it| !it.is_control()).take(NOTE_MAX_CHARS).collect();
    Ok(Verdict { confidence, note })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_object_that_was_asked_for_is_an_answer() {
        let good = read(r#" {"confidence": 0.5, "note": "maybe"} "#).unwrap();
        assert_eq!((good.confidence.value(), good.note.as_str()), (0.5, "maybe"));
        for bad in [
            "",
            "no",
            "0.99",
            "[]",
            "null",
            r#"Sure! {"confidence": 0.5, "note": "maybe"}"#,
            r#"{"confidence": 0.5, "note": "maybe"} and more"#,
            r#"{"confidence": "0.5", "note": "maybe"}"#,
            r#"{"confidence": null, "note": "maybe"}"#,
            r#"{"confidence": 0.5}"#,
            r#"{"note": "maybe"}"#,
            r#"{"confidence": 0.5, "note": 7}"#,
            r#"{"confidence": 0.5, "note": "maybe", "action": "hide"}"#,
            r#"{"confidence": 0.5, "confidence": 0.9, "note": "twice"}"#,
            r#"{"confidence": 1e999, "note": "too much"}"#,
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_confidence_is_from_0_to_1_and_a_note_is_short() {
        for (said, taken) in [("-3", 0.0), ("0", 0.0), ("1", 1.0), ("96", 1.0), ("1.0000001", 1.0)] {
            let verdict = read(&format!(r#"{{"confidence": {said}, "note": "x"}}"#)).unwrap();
            assert_eq!(verdict.confidence.value(), taken, "{said}");
        }
        let long = "é".repeat(2000);
        let verdict = read(&format!(r#"{{"confidence": 1, "note": "{long}"}}"#)).unwrap();
        assert_eq!(verdict.note.chars().count(), 500);
    }
}
