//! Properties of text handling, tested with random texts of all scripts.

use domain::search::{Terms, index_keys};
use icu_properties::{CodePointMapData, props::GeneralCategory};
use platform::text::{Token, fold, is_syllable, tokens};
use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};
use serde_json::json;
use tests::World;
use unicode_segmentation::UnicodeSegmentation;

use super::encoded;
use crate::{parsers::for_each_text, setup::MANY_WRITES};

/// Sentences in Chinese, Japanese, Thai, Khmer, Lao and Burmese. The marks between words are those of version 2.4 of
/// the crate `icu_segmenter`, whose dictionaries would make each build slower.
const SEGMENTED: &str = "
    今天|晚上|我们|去|吃|火锅|吧
    我在|北京|大学|学习|计算|机|科学
    昨天|的|會議|討論|了|新的|政策
    昨日|は|友達|と|ラーメン|を|食|べ|まし|た
    東京|タワー|の|近く|で|新しい|カフェ|を|見|つけ|た
    週末|に|図書館|で|本|を|読み|ます
    วัน|นี้|กิน|ข้าว|ผัด|ที่|ตลาด
    เรา|ไป|เที่ยว|ทะเล|กับ|ครอบครัว
    ฝน|ตก|หนัก|มาก|ใน|กรุงเทพมหาน|คร
    ខ្ញុំ|ចូលចិត្ត|ញ៉ាំ|បាយ|ជាមួយ|គ្រួសារ
    ថ្ងៃ|នេះ|អាកាស|ធាតុល្អ|ណាស់
    សិស្ស|កំពុង|រៀន|ភាសាខ្មែរ
    ຂ້ອຍ|ມັກ|ກິນ|ເຂົ້າໜຽວ
    ມື້|ນີ້|ອາກາດ|ດີ|ຫຼາຍ
    ນັກຮຽນ|ກຳລັງ|ອ່ານ|ປຶ້ມ
    ကျွန်တော်|မြန်မာ|စာ|ကို|လေ့|လာ|နေသည်
    ဒီ|နေ့|ရာသီဥတု|ကောင်း|တယ်
    မိသား|စု|နှင့်|အတူထမင်းစားသည်
";

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
            prop_assert!(is_found(&word, &text, &keys), "{:?} in {:?}", word, text);
        }
        Ok(())
    });
}

/// Uses the words of an independent segmenter, which follows UAX #29. Leaves out numbers such as `²`, which the index
/// joins with the letters before them.
#[test]
fn a_random_text_is_found_by_each_of_its_unicode_words() {
    let category = CodePointMapData::<GeneralCategory>::new();
    for_each_text(&text(), |text| {
        let text = text.replace(|char| category.get(char) == GeneralCategory::OtherNumber, "");
        let keys = index_keys(&text);
        for word in text.unicode_words() {
            prop_assert!(is_found(word, &text, &keys), "{:?} in {:?}", word, text);
        }
        Ok(())
    });
}

#[test]
fn a_sentence_without_spaces_is_found_by_each_word_of_a_dictionary() {
    for line in SEGMENTED.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let sentence = line.replace('|', "");
        let keys = index_keys(&sentence);
        for word in line.split('|') {
            assert!(is_found(word, &sentence, &keys), "{word} in {sentence}");
        }
    }
}

/// Returns whether a search for a word finds a text with these keys. Also returns true if the word is a stop word, or
/// has a single letter of an alphabet or syllabary, such as a Japanese particle. A search cannot find such words.
fn is_found(word: &str, text: &str, keys: &[String]) -> bool {
    let Ok(terms) = Terms::try_from(word.to_owned()) else { return true };
    let has_keys = terms.keys().iter().all(|key| keys.contains(key));
    let is_letter = |token| match token {
        Token::Unspaced(letters) => letters.len() == 1 && !is_syllable(&letters[0]),
        Token::Word(_) => false,
    };
    let has_letter = tokens(word).into_iter().any(is_letter);
    has_letter || index_keys(word).is_empty() || (has_keys && terms.finds(text))
}

#[tokio::test]
async fn random_texts_cause_no_server_error() {
    let (world, [ann]) = World::builder().settings(MANY_WRITES).start_with(["ann"]).await;
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
