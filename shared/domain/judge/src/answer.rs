//! Parses the answers of language models. An answer must have exactly the requested form.

use anyhow::{Context, Result as Anyhow, bail};
use serde::Deserialize;

use super::{Confidence, Grade, ReportVerdict};

const NOTE_MAX_CHARS: usize = 500;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VerdictAnswer {
    confidence: f64,
    note: String,
}

/// Parses a verdict. Errors do not contain the answer, because it may quote users' texts.
pub(super) fn verdict(text: &str) -> Anyhow<ReportVerdict> {
    let answer: Result<VerdictAnswer, _> = serde_json::from_str(text);
    let Ok(VerdictAnswer { confidence, note }) = answer else { bail!("the model's answer is malformed") };
    let confidence = Confidence::clamped(confidence).context("the model's confidence is not a number")?;
    let note = note.chars().filter(|char| !char.is_control()).take(NOTE_MAX_CHARS).collect();
    Ok(ReportVerdict { confidence, note })
}

pub(super) fn grade(text: &str) -> Anyhow<Grade> {
    let grade: Result<Grade, _> = serde_json::from_str(text);
    // The cause is dropped, because it may quote users' texts.
    grade.map_err(|_| anyhow::anyhow!("the model's grade is malformed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_must_be_one_complete_json_object() {
        let good = verdict(r#" {"confidence": 0.5, "note": "maybe"} "#).unwrap();
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
            assert!(verdict(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_grade_must_be_one_complete_json_object() {
        let good =
            grade(r#"{"score": 7.5, "category": "deep_talk", "reason": "It asks.", "flags": ["copypaste"]}"#);
        assert_eq!(good.unwrap().score.value(), 7.5);
        for bad in [
            "",
            "7",
            r#"{"score": 7}"#,
            r#"{"score": 11, "category": "solid", "reason": "x", "flags": []}"#,
            r#"{"score": -1, "category": "solid", "reason": "x", "flags": []}"#,
            r#"{"score": "7", "category": "solid", "reason": "x", "flags": []}"#,
            r#"{"score": 7, "category": "great", "reason": "x", "flags": []}"#,
            r#"{"score": 7, "category": "solid", "reason": "x", "flags": ["rude"]}"#,
            r#"{"score": 7, "category": "solid", "reason": "x", "flags": [], "more": 1}"#,
        ] {
            assert!(grade(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn confidence_is_clamped_and_a_long_note_is_cut() {
        for (answered, expected) in [("-3", 0.0), ("0", 0.0), ("1", 1.0), ("96", 1.0), ("1.0000001", 1.0)] {
            let verdict = verdict(&format!(r#"{{"confidence": {answered}, "note": "x"}}"#)).unwrap();
            assert_eq!(verdict.confidence.value(), expected, "{answered}");
        }
        let long = "é".repeat(2000);
        let verdict = verdict(&format!(r#"{{"confidence": 1, "note": "{long}"}}"#)).unwrap();
        assert_eq!(verdict.note.chars().count(), 500);
    }
}
