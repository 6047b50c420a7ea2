//! Unions in the API document have a discriminator, and responses contain it. So generated clients can read unions.

use serde_json::{Value, json};
use tests::World;

use super::{deep, document};
use crate::circles::{creates_circle, posts::writes_in};

#[tokio::test]
async fn every_union_in_the_api_document_has_a_discriminator() {
    let document = document().await;
    let mut seen = 0;
    for union in deep(&document).filter(|value| choices(value).count() > 1) {
        let name = union["discriminator"]["propertyName"].as_str().unwrap_or_default();
        let mapping = union["discriminator"]["mapping"].as_object().unwrap_or_else(|| panic!("{union}"));
        let mut mapped: Vec<_> = mapping.values().collect();
        mapped.sort_by_key(|reference| reference.to_string());
        assert!(choices(union).all(|choice| choice.as_object().unwrap().len() == 1), "{union}");
        let mut members: Vec<_> = choices(union).map(|choice| &choice["$ref"]).collect();
        members.sort_by_key(|reference| reference.to_string());
        assert_eq!(mapped, members, "{union}");
        for (value, reference) in mapping {
            let pointer = reference.as_str().unwrap().trim_start_matches('#');
            let member = document.pointer(pointer).unwrap();
            let own = deep(member).find(|part| !part["properties"][name].is_null()).unwrap();
            assert_eq!(own["properties"][name]["enum"], json!([value]), "{reference}");
            assert!(own["required"].as_array().unwrap().contains(&json!(name)), "{reference}");
            // Generators name the enumeration after the schema and the property.
            assert!(document.pointer(&format!("{pointer}Kind")).is_none(), "{reference}");
        }
        seen += 1;
    }
    assert!(seen > 1, "{seen}");
}

#[tokio::test]
async fn posts_have_a_kind_inside_and_outside_of_circles() {
    let (world, [ann]) = World::with(["ann"]).await;
    let post = ann.writes("Hello").await;
    let reply = ann.replies(&post, "Hello again").await;
    let circle = creates_circle(&ann, "Night readers").await;
    let in_circle = writes_in(&ann, &circle, "A good book").await.data().clone();
    let quote = ann.quotes(&post, "See this").await;
    for (post, kind) in
        [(&post.json, "POST"), (&reply.json, "POST"), (&quote.json, "POST"), (&in_circle, "CIRCLE_POST")]
    {
        let path = format!("/posts/{}", post["publicId"].as_str().unwrap());
        assert_eq!(post["kind"], kind, "{post}");
        assert_eq!(ann.get(&path).await.data()["kind"], kind, "{post}");
    }
    assert_eq!(quote.json["origin"]["kind"], "POST");
    world.settle().await;
}

#[tokio::test]
async fn search_results_have_a_kind() {
    let (world, [ann]) = World::with(["ann"]).await;
    ann.writes("ann likes #ann").await;
    world.settle().await;
    for (kind, name) in [("user", "USER"), ("post", "POST"), ("hashtag", "HASHTAG")] {
        let page = ann.get(&format!("/search?q=ann&type={kind}")).await.ok();
        assert_eq!(page.column("kind"), [json!(name)], "{page}");
    }
}

/// Returns the choices of a union, without null.
fn choices(value: &Value) -> impl Iterator<Item = &Value> {
    let all = ["oneOf", "anyOf"].into_iter().filter_map(|word| value.get(word)?.as_array()).flatten();
    all.filter(|choice| choice["type"] != "null")
}
