//! Words in searches and muted words.

use domain::{operations::reindex::reindex, posts};
use platform::table::{Index, Key, Write};
use serde_json::{Value, json};
use tests::{Person, World};

use super::encoded;

async fn finds(user: &Person, query: &str) -> bool {
    !user.get(&format!("/search?q={}", encoded(query))).await.ok().rows().is_empty()
}

#[tokio::test]
async fn a_search_finds_words_in_all_scripts() {
    let (world, [ann]) = World::with(["ann"]).await;
    for (text, found, missing) in [
        ("今天晚上我们去吃火锅吧", ["火锅", "晚上", "锅"], ["火晚", "炉"]),
        ("昨日は友達とラーメンを食べました", ["ラーメン", "ﾗｰﾒﾝ", "友達"], ["メラ", "友人"]),
        ("วันนี้กินข้าวผัดที่ตลาด", ["ข้าว", "ตลาด", "กินข้าว"], ["ขาว", "ตลก"]),
        ("서울에서 김치를 먹었다", ["서울", "김치", "서울은"], ["부산", "김밥"]),
        ("친구들과 한국어를 공부합니다", ["친구", "공부", "한국어는"], ["국수", "사람"]),
        ("나이가 많다", ["나이", "나이는", "많다"], ["나는", "많은"]),
        ("집에서 쉬었다", ["집", "집에", "쉬었다"], ["밖", "쉬는"]),
        ("မြန်မာစာ", ["စာ", "မြန်မာ", "မြန်"], ["စား", "ကာ"]),
        ("Łódź, Søren & Straße", ["lodz", "soren", "strasse"], ["dz", "sor"]),
        ("यह मेरा दिन है", ["दिन", "मेरा", "यह दिन"], ["दान", "मेरी"]),
        ("はは は ちち", ["はは", "ちち", "はは ちち"], ["ぱぱ", "ばば"]),
        ("Noodles 🍜 with 👍🏽 and 🇻🇳", ["🍜", "👍", "🇻🇳"], ["🍣", "🇯🇵"]),
        ("a👨‍👩‍👧b 🏳️‍🌈", ["👨‍👩‍👧", "🏳️‍🌈", "b"], ["👨‍👩‍👦", "👧"]),
        ("Ｒｕｓｔ ｶﾞﾗｽ", ["rust", "ガラス", "ｶﾞﾗｽ"], ["カラス", "rus"]),
        ("Cà phê sữa đá", ["ca phe", "cà phê", "SỮA"], ["caphe", "sửa"]),
    ] {
        let post = ann.writes(text).await;
        world.settle().await;
        for word in found {
            assert!(finds(&ann, word).await, "{word} in {text}");
        }
        for word in missing {
            let is_other_accent = word == "sửa";
            assert_eq!(finds(&ann, word).await, is_other_accent, "{word} not in {text}");
        }
        ann.deletes(&post).await;
        world.advance(60).await;
    }
}

#[tokio::test]
async fn a_search_distinguishes_emojis_that_share_characters() {
    let (world, [ann]) = World::with(["ann"]).await;
    ann.writes("go 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👩🏽‍🚀 🇩🇪🇫🇷").await;
    world.settle().await;
    for emoji in ["🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👩‍🚀", "🇫🇷"] {
        assert!(finds(&ann, emoji).await, "{emoji}");
    }
    for emoji in ["🏴", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "👩🚀", "🇪🇫"] {
        assert!(!finds(&ann, emoji).await, "{emoji}");
    }
}

#[tokio::test]
async fn a_user_is_found_by_each_word_of_a_name() {
    let (world, [ann]) = World::with(["ann"]).await;
    for (name, query) in [
        ("王小明", "小明"),
        ("山田太郎", "太郎"),
        ("Łukasz Żak", "zak"),
        ("สมชาย", "ชาย"),
        ("สมชาย แก้วมณี", "แก้ว"),
        ("Jean-Pierre", "pierre"),
        ("Shane O'Brien", "brien"),
    ] {
        ann.post("/auth/profile", json!({ "name": name })).await.ok();
        world.settle().await;
        let found = ann.get(&format!("/search?type=user&q={}", encoded(query))).await.ok();
        assert_eq!(found.column("name"), [name], "{query}");
    }
}

async fn sees_after_muting(muted: Value, text: &str) -> bool {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    ann.post("/me/muted-words", muted).await.ok();
    bob.writes(text).await;
    !ann.get("/posts/news-feed").await.ok().rows().is_empty()
}

#[tokio::test]
async fn muted_words_match_in_all_scripts() {
    for (word, text, is_hidden) in [
        ("火锅", "今天晚上我们去吃火锅吧", true),
        ("ข้าว", "วันนี้กินข้าวผัด", true),
        ("서울", "서울에서 만나요", true),
        ("🍜", "lunch 🍜🍜", true),
        ("C++", "I like C++17", true),
        ("C++", "vitamin C", false),
        ("$TSLA", "buy $tsla now", true),
        (":)", "so funny :)", true),
        ("#️⃣", "press #️⃣ now", true),
        ("#️⃣", "#one", false),
        ("secret", "a se\u{AD}cret", true),
        ("secret", "a sec\u{2060}ret", true),
        ("中文", "我学中\u{200B}文", true),
        ("दिन", "दान करें", false),
        ("火锅", "火の鍋", false),
        ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", "go 🏴󠁧󠁢󠁥󠁮󠁧󠁿", true),
        ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", "go 🏴󠁧󠁢󠁳󠁣󠁴󠁿", false),
        ("🇫🇷", "🇩🇪🇫🇷", true),
        ("🇪🇫", "🇩🇪🇫🇷", false),
        ("℃", "vitamin C", false),
    ] {
        let sees = sees_after_muting(json!({ "word": word }), text).await;
        assert_eq!(sees, !is_hidden, "{word} in {text}");
    }
}

#[tokio::test]
async fn a_muted_word_can_be_limited_to_texts_or_hashtags() {
    for (scope, text, is_hidden) in [
        ("tags", "I like tea", false),
        ("tags", "I like #tea", true),
        ("content", "I like tea", true),
        ("content", "I like #tea", true),
    ] {
        let sees = sees_after_muting(json!({ "word": "tea", "scope": scope }), text).await;
        assert_eq!(sees, !is_hidden, "{scope}: {text}");
    }
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    bob.posts(json!({ "content": "hot", "topic": "tea" })).await;
    ann.post("/me/muted-words", json!({ "word": "tea", "scope": "content" })).await.ok();
    assert_eq!(ann.get("/posts/news-feed").await.ok().rows().len(), 1);
    ann.post("/me/muted-words", json!({ "word": "tea", "scope": "tags" })).await.ok();
    assert!(ann.get("/posts/news-feed").await.ok().rows().is_empty());
    ann.post("/me/muted-words", json!({ "word": "tea", "scope": "people" }))
        .await
        .invalid("scope: must be one of content, tags");
}

#[tokio::test]
async fn a_muted_word_can_expire() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let word = |word: &str, end: &str| json!({ "word": word, "expiresAt": format!("2026-01-01T00:{end}Z") });
    let words = [word("tea", "10:00.000"), word("火锅", "20:00.000"), word("C++", "30:00.000")];
    for body in &words {
        ann.post("/me/muted-words", body.clone()).await.ok();
        bob.writes(body["word"].as_str().unwrap()).await;
    }
    for visible in 0..=3 {
        let ann = ann.signs_in().await;
        assert_eq!(ann.get("/posts/news-feed").await.ok().rows().len(), visible);
        let listed = ann.get("/me/muted-words").await.ok();
        let mut ends: Vec<_> = listed.rows().iter().map(|row| row["expiresAt"].as_str().unwrap()).collect();
        ends.sort_unstable();
        let expected: Vec<_> =
            words[visible..].iter().map(|body| body["expiresAt"].as_str().unwrap()).collect();
        assert_eq!(ends, expected);
        world.advance(600).await;
    }
    let ann = ann.signs_in().await;
    for past in words {
        let refused = ann.post("/me/muted-words", past).await;
        assert_eq!(refused.refused(400, "VALIDATION_FAILED"), "expiresAt: must be in the future");
    }
}

#[tokio::test]
async fn a_reindex_restores_deleted_search_index_rows() {
    let (world, [ann]) = World::with(["ann"]).await;
    let post = ann.writes("火锅 Łódź").await;
    world.settle().await;
    for key in [Key::new(format!("POST#{}", post.id), "INDEXED"), Key::new("WORD#lodz", &post.id)] {
        world.app().table.write(Write::delete(key)).await.unwrap();
    }
    assert!(!finds(&ann, "lodz").await);
    reindex_all(&world).await;
    assert!(finds(&ann, "lodz").await && finds(&ann, "火锅").await);
}

#[tokio::test]
async fn a_reindex_renews_stored_hashtags() {
    let (world, [ann]) = World::with(["ann"]).await;
    let mut written = Vec::new();
    for stored in ["RUST", "Rust", "#rust"] {
        let post = ann.writes("about #rust").await;
        let (app, key) = (world.app(), posts::key(post.id.parse().unwrap()));
        let listed = Key::new(format!("TOPIC#{stored}"), post.id.clone());
        let outdated = Write::update(key).set("topic", stored).index_key(Index::Gsi3, Some(listed));
        app.table.write(outdated).await.unwrap();
        written.insert(0, post.id);
    }
    world.settle().await;
    let listed = async || ann.get("/hashtags/rust/posts").await.ok().column("publicId");
    assert!(listed().await.is_empty());
    reindex_all(&world).await;
    assert_eq!(listed().await, written);
}

async fn reindex_all(world: &World) {
    let (app, mut from) = (world.app(), None);
    loop {
        from = reindex(&app, from).await.unwrap().1;
        if from.is_none() {
            return;
        }
    }
}
