//! The stored search index and pending index jobs.

use serde_json::{Value, json};

use super::Past;

async fn finds(past: &Past, query: &str, field: &str) -> Vec<Value> {
    past.user("ann").get(&format!("/search?q={query}")).await.ok().column(field)
}

#[tokio::test]
async fn the_stored_search_index_can_be_searched_and_updated() {
    let past = Past::settled().await;
    stored_hashtag_counts_continue(&past).await;
    stored_users_are_found_by_their_current_names(&past).await;
    stored_posts_are_found_by_their_current_text(&past).await;
}

async fn stored_posts_are_found_by_their_current_text(past: &Past) {
    assert_eq!(finds(past, "WORDS", "publicId").await, past.ids(["edited"]));
    assert!(finds(past, "first+words", "publicId").await.is_empty());
    past.user("bob").patch(&past.post("edited").path(""), json!({ "content": "Other texts" })).await.ok();
    past.user("ann").deletes(&past.post("liked")).await;
    for query in ["words", "tonight"] {
        assert!(finds(past, query, "publicId").await.is_empty(), "{query}");
    }
    past.world.settle().await;
    assert_eq!(finds(past, "texts", "publicId").await, past.ids(["edited"]));
}

#[tokio::test]
async fn stored_posts_with_pending_index_jobs_become_searchable() {
    let past = Past::stored().await;
    assert!(finds(&past, "brought", "publicId").await.is_empty());
    past.world.settle().await;
    assert_eq!(finds(&past, "brought", "publicId").await, past.ids(["unbrought"]));
    assert_eq!(finds(&past, "ki&type=user", "username").await, ["kim"]);
}

async fn stored_users_are_found_by_their_current_names(past: &Past) {
    for (query, name) in [("lee", "ann"), ("%C3%A1nn", "ann"), ("cl", "cleo")] {
        assert_eq!(finds(past, &format!("{query}&type=user"), "username").await, [name], "{query}");
    }
    past.user("cleo").post("/auth/profile", json!({ "name": "Lee Cleo" })).await.ok();
    past.world.settle().await;
    let mut found = finds(past, "lee&type=user", "username").await;
    found.sort_by_key(Value::to_string);
    assert_eq!(found, ["ann", "cleo"]);
    assert!(finds(past, "lou&type=user", "username").await.is_empty(), "a stored block hides the user");
}

async fn stored_hashtag_counts_continue(past: &Past) {
    past.user("cleo").writes("And #cats").await;
    past.user("bob").deletes(&past.post("unbrought")).await;
    past.world.settle().await;
    for (tag, count) in [("cats", 2), ("dogs", 1)] {
        assert_eq!(finds(past, &format!("{tag}&type=hashtag"), "count").await, [count], "{tag}");
    }
}
