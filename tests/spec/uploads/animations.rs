//! Animated GIF, PNG and WebP images. Each animation has a still image.

use image::ImageFormat;
use serde_json::{Value, json};
use tests::World;

use super::{
    frames::{SECRET, animations, expected, frames_of},
    images::{contains, shown, uploads},
    pictures, status_of,
    sweep::{DAY, HOUR, settle_and_advance, world_with_sweeps},
};

#[tokio::test]
async fn an_animation_stays_animated_and_has_a_still() {
    let (world, [ann]) = World::with(["ann"]).await;
    for (kind, file) in animations(40, 30, 3) {
        let upload = uploads(&world, &ann, kind, file).await;
        assert_eq!(json!([upload["status"], upload["type"]]), json!(["READY", kind]));
        assert_eq!(json!([upload["width"], upload["height"]]), json!([40, 30]));
        assert_eq!(frames_of(&read(&upload["url"], kind).await), expected(3), "{kind}");
        assert_eq!(upload["still"], upload["sizes"]["large"]);
        let still = image::load_from_memory(&read(&upload["still"], "image/jpeg").await).unwrap();
        assert!(pictures::is_red(&still, 20, 15), "the first frame");
    }
}

#[tokio::test]
async fn an_animation_has_no_metadata() {
    let (world, [ann]) = World::with(["ann"]).await;
    for (kind, file) in animations(8, 8, 2) {
        assert!(contains(&file, SECRET));
        let upload = uploads(&world, &ann, kind, file).await;
        let animation = read(&upload["url"], kind).await;
        for word in [SECRET, "EXIF", "eXIf", "XMP", "note", "tEXt", "iTXt", "Comment"] {
            assert!(!contains(&animation, word), "{kind} contains {word}");
        }
        assert_eq!(frames_of(&animation), expected(2), "{kind}");
        assert!(!contains(&shown(&upload, "large").await, SECRET));
    }
}

#[tokio::test]
async fn posts_show_an_animation_and_its_still() {
    let (world, [ann]) = World::with(["ann"]).await;
    for (kind, file) in animations(12, 10, 2) {
        let upload = uploads(&world, &ann, kind, file).await;
        let post = ann.posts(json!({ "content": "look", "media": [{ "id": upload["id"] }] })).await;
        let media = json!([{
            "id": upload["id"], "key": upload["key"], "url": upload["url"], "still": upload["still"],
            "status": "READY", "type": kind, "width": 12, "height": 10, "blurhash": upload["blurhash"],
            "alt": null,
        }]);
        assert_eq!(ann.sees(&post).await["media"], media);
        let again = ann.posts(json!({ "content": "look again", "media": media })).await;
        assert_eq!(again.json["media"], media);
    }
}

#[tokio::test]
async fn a_too_large_or_damaged_animation_shows_its_first_frame() {
    let (world, [ann]) = World::with(["ann"]).await;
    let [_, (_, apng), (_, webp)] = animations(40, 30, 3);
    let mut files = vec![("image/png", without_end(&apng)), ("image/webp", without_last_frame(&webp))];
    let [mut many_pixels, ..] = animations(1, 1, 76);
    many_pixels.1[6..10].copy_from_slice(&[2000_u16.to_le_bytes(), 2000_u16.to_le_bytes()].concat());
    files.push(many_pixels);
    for size in [(1, 1, 1001), (2100, 2000, 2)] {
        let [gif, _, webp] = animations(size.0, size.1, size.2);
        files.extend([gif, webp]);
    }
    for (kind, file) in files {
        let upload = uploads(&world, &ann, kind, file).await;
        assert_eq!(json!([upload["status"], upload["still"]]), json!(["READY", null]), "{kind}");
        assert_eq!(upload["url"], upload["sizes"]["large"]);
        let still = image::load_from_memory(&shown(&upload, "large").await).unwrap();
        assert!(pictures::is_red(&still, 0, 0), "the first frame");
    }
}

#[tokio::test]
async fn an_image_of_one_frame_is_not_animated() {
    let (world, [ann]) = World::with(["ann"]).await;
    let stills = [ImageFormat::Gif, ImageFormat::Png, ImageFormat::WebP]
        .map(|format| (format.to_mime_type(), pictures::picture(9, 9, format)));
    for (kind, file) in animations(9, 9, 1).into_iter().chain(stills) {
        let upload = uploads(&world, &ann, kind, file).await;
        assert_eq!(json!([upload["type"], upload["still"]]), json!(["image/jpeg", null]), "{kind}");
    }
}

#[tokio::test]
async fn an_unused_animation_is_removed_with_its_still() {
    let world = world_with_sweeps().await;
    let ann = world.person("ann").await;
    let mut urls = Vec::new();
    for (kind, file) in animations(9, 9, 2) {
        let upload = uploads(&world, &ann, kind, file).await;
        urls.extend([upload["url"].clone(), upload["still"].clone()]);
    }
    settle_and_advance(&world, DAY + 2 * HOUR).await;
    for url in urls {
        assert_eq!(status_of(&url).await, 404, "{url}");
    }
}

/// Returns the public file at `url`, after checking its content type.
async fn read(url: &Value, kind: &str) -> Vec<u8> {
    let answer = reqwest::get(url.as_str().unwrap()).await.unwrap().error_for_status().unwrap();
    assert_eq!(answer.headers()["content-type"], kind);
    answer.bytes().await.unwrap().to_vec()
}

/// Cuts a file within its last frame.
fn without_end(apng: &[u8]) -> Vec<u8> {
    let last = apng.windows(4).rposition(|kind| kind == b"fdAT").unwrap();
    apng[..last + 8].to_vec()
}

fn without_last_frame(webp: &[u8]) -> Vec<u8> {
    let last = webp.windows(4).rposition(|kind| kind == b"VP8L").unwrap();
    let mut broken = webp.to_vec();
    broken[last + 8..last + 12].fill(0);
    broken
}
