//! Properties of text handling, tested with random texts of all scripts.

use domain::search::{Terms, index_keys};
use platform::text::{Token, fold, tokens};
use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};
use serde_json::json;
use tests::World;

use super::encoded;
use crate::{
    parsers::for_each_text,
    setup::{MANY_WRITES, start_with},
};

/// Generates texts with letters of many scripts, marks, joiners, emojis and control characters.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-zA-ZÀ-ỹĐđłøßæþİıς0-9]{1,6}",
        "[\\p{Han}\\p{Hiragana}\\p{Katakana}]{1,6}",
        "[\\p{Thai}\\p{Lao}\\p{Khmer}\\p{Myanmar}]{1,6}",
        "[\\p{Arabic}\\p{Hebrew}\\p{Devanagari}\\p{Bengali}\\p{Tamil}\\p{Hangul}]{1,6}",
        "[\\p{Greek}\\p{Cyrillic}\\p{Armenian}\\p{Georgian}\\p{Ethiopic}]{1,6}",
        "[\\p{M}\u{200C}\u{200D}\u{FE0F}\u{200B}]{1,3}",
        "[\\p{ExtPict}\\p{EMod}\\p{RI}#️⃣]{1,4}",
        "[ .,!?#@_·・\\p{Zs}\\p{S}]{1,3}",
        "\\PC{1,6}",
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

#[test]
fn folding_case_and_accents_twice_equals_folding_once() {
    for_each_text(&text(), |text| {
        let folded = fold(&text);
        prop_assert_eq!(fold(&folded), folded);
        Ok(())
    });
}

#[test]
fn a_random_text_is_found_by_each_of_its_words() {
    for_each_text(&text(), |text| {
        let keys = index_keys(&text);
        for token in tokens(&text) {
            let word = match token {
                Token::Word(word) => word,
                Token::Unspaced(letters) => letters.concat(),
            };
            let Ok(terms) = Terms::try_from(word.clone()) else { continue };
            let is_stop_word = index_keys(&word).is_empty();
            let is_found = terms.keys().iter().all(|key| keys.contains(key)) && terms.finds(&text);
            prop_assert!(is_stop_word || is_found, "{:?} in {:?}", word, text);
        }
        Ok(())
    });
}

#[tokio::test]
async fn random_texts_cause_no_server_error() {
    let (world, [ann]) = start_with(World::builder().settings(MANY_WRITES), ["ann"]).await;
    let mut runner = TestRunner::deterministic();
    for _ in 0..60 {
        let text = text().new_tree(&mut runner).unwrap().current();
        for (path, body) in [
            ("/posts", json!({ "content": text, "topic": text })),
            ("/posts", json!({ "content": text })),
            ("/me/muted-words", json!({ "word": text })),
            ("/auth/profile", json!({ "name": text, "bio": text })),
        ] {
            let status = ann.post(path, body).await.status;
            assert!([200, 201, 400].contains(&status), "{path} {text:?}: {status}");
        }
        let status = ann.get(&format!("/search?q={}", encoded(&text))).await.status;
        assert!([200, 400, 429].contains(&status), "{text:?}: {status}");
    }
    world.settle().await;
    assert_eq!(ann.get("/posts/news-feed").await.status, 200);
}
