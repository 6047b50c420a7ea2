//! Processing of images. Each image gets three sizes without metadata.

use image::ImageFormat;
use serde_json::{Value, json};
use tests::{Person, World};

use super::{
    pictures::{self, CAMERA},
    put, puts, status_of,
};

#[tokio::test]
async fn a_photo_is_shown_without_its_location() {
    let (world, [ann]) = World::with(["ann"]).await;
    let photo = pictures::photo(60, 40, 1);
    assert!(contains(&photo, "Exif") && contains(&photo, CAMERA), "the photo has metadata");
    let upload = uploads(&world, &ann, "image/jpeg", photo).await;
    assert_eq!(upload["status"], "READY");
    for size in ["large", "medium", "small"] {
        let shown = reqwest::get(upload["sizes"][size].as_str().unwrap()).await.unwrap();
        assert_eq!(shown.headers()["content-type"], "image/jpeg");
        let shown = shown.bytes().await.unwrap();
        for word in ["Exif", "Elm Street", "GPS", "II*\0"] {
            assert!(!contains(&shown, word), "{size} contains {word}");
        }
    }
}

#[tokio::test]
async fn a_photo_is_shown_upright() {
    let (world, [ann]) = World::with(["ann"]).await;
    // The EXIF orientation, the size, and whether the red quarter is on the right and at the bottom.
    for (orientation, size, right, below) in [
        (1, (60, 40), false, false),
        (2, (60, 40), true, false),
        (3, (60, 40), true, true),
        (4, (60, 40), false, true),
        (6, (40, 60), true, false),
        (8, (40, 60), false, true),
    ] {
        let upload = uploads(&world, &ann, "image/jpeg", pictures::photo(60, 40, orientation)).await;
        assert_eq!(json!([upload["width"], upload["height"]]), json!([size.0, size.1]));
        let image = image::load_from_memory(&shown(&upload, "large").await).unwrap();
        assert_eq!((image.width(), image.height()), size, "{orientation}");
        let corner = |far: bool, side: u32| if far { side - 8 } else { 8 };
        assert!(pictures::is_red(&image, corner(right, size.0), corner(below, size.1)), "{orientation}");
        assert!(!pictures::is_red(&image, corner(!right, size.0), corner(!below, size.1)), "{orientation}");
    }
}

#[tokio::test]
async fn photos_are_scaled_down_but_never_enlarged() {
    let (world, [ann]) = World::with(["ann"]).await;
    for (size, kind, expected) in [
        ((5000, 2500), "image/jpeg", [(2896, 1448), (1357, 678), (452, 226)]),
        ((4000, 4000), "image/png", [(2048, 2048), (960, 960), (320, 320)]),
        ((1000, 3000), "image/png", [(1000, 3000), (554, 1662), (184, 554)]),
        ((500, 400), "image/webp", [(500, 400), (500, 400), (357, 286)]),
        ((7, 3), "image/gif", [(7, 3), (7, 3), (7, 3)]),
        ((40_000, 1), "image/png", [(16_383, 1), (16_383, 1), (16_383, 1)]),
    ] {
        let upload = uploads(&world, &ann, kind, pictures::picture(size.0, size.1, format(kind))).await;
        assert_eq!(upload["status"], "READY", "{upload}");
        assert_eq!(upload["url"], upload["sizes"]["large"]);
        for (name, expected) in ["large", "medium", "small"].into_iter().zip(expected) {
            let image = image::load_from_memory(&shown(&upload, name).await).unwrap();
            assert_eq!((image.width(), image.height()), expected, "{name} of {size:?}");
        }
    }
}

#[tokio::test]
async fn very_tall_and_very_wide_images_stay_readable() {
    let (world, [ann]) = World::with(["ann"]).await;
    for (size, kind, expected) in [
        ((800, 12_000), "image/jpeg", (528, 7931)),
        ((1080, 20_000), "image/png", (475, 8816)),
        ((16_000, 1000), "image/webp", (8192, 512)),
        ((60_000, 300), "image/png", (16_383, 81)),
    ] {
        let upload = uploads(&world, &ann, kind, pictures::picture(size.0, size.1, format(kind))).await;
        assert_eq!(json!([upload["width"], upload["height"]]), json!(expected), "{size:?}");
        let image = image::load_from_memory(&shown(&upload, "large").await).unwrap();
        assert_eq!((image.width(), image.height()), expected);
    }
}

#[tokio::test]
async fn transparent_images_stay_transparent() {
    let (world, [ann]) = World::with(["ann"]).await;
    for kind in ["image/png", "image/webp"] {
        let upload = uploads(&world, &ann, kind, pictures::see_through(40, 40, format(kind))).await;
        assert_eq!(json!([upload["status"], upload["type"]]), json!(["READY", "image/webp"]));
        let image = image::load_from_memory(&shown(&upload, "medium").await).unwrap().into_rgba8();
        assert_eq!((image.get_pixel(20, 5).0[3], image.get_pixel(20, 35).0[3]), (255, 0));
    }
}

#[tokio::test]
async fn a_blurhash_resembles_its_picture() {
    let (world, [ann]) = World::with(["ann"]).await;
    let upload = uploads(&world, &ann, "image/jpeg", pictures::photo(600, 400, 1)).await;
    let blurhash = upload["blurhash"].as_str().unwrap();
    let pixels = blurhash::decode(blurhash, 8, 8, 1.0).unwrap();
    let at = |x: usize, y: usize| &pixels[4 * (8 * y + x)..][..3];
    assert!(at(0, 0)[0] > at(0, 0)[2], "red at the top left: {:?}", at(0, 0));
    assert!(at(7, 7)[0] < at(7, 7)[2], "blue at the bottom right: {:?}", at(7, 7));
}

#[tokio::test]
async fn an_image_over_60_megapixels_is_refused() {
    let (world, [ann]) = World::with(["ann"]).await;
    let bomb = pictures::bomb();
    assert!(bomb.len() < 1024 * 1024);
    let header = bomb[..64].to_vec();
    for file in [bomb, header] {
        let upload = uploads(&world, &ann, "image/png", file).await;
        assert_eq!(upload["status"], "REFUSED");
        assert_eq!(upload["reason"], "the image has more than 60 megapixels");
    }
}

#[tokio::test]
async fn a_file_with_a_wrong_content_type_is_refused_and_removed() {
    let (world, [ann]) = World::with(["ann"]).await;
    let png = pictures::picture(4, 4, ImageFormat::Png);
    let page = b"<html><script>alert(1)</script>".to_vec();
    let broken = png[..60].to_vec();
    for (kind, file, reason) in [
        ("image/png", page, "the file does not match its content type"),
        ("video/mp4", png, "the file does not match its content type"),
        ("image/png", broken, "the file cannot be read"),
    ] {
        let ticket = puts(&ann, kind, &file).await;
        assert_eq!(put(&ticket, kind, file.clone()).await, 412, "the file exists");
        world.settle().await;
        let upload = seen(&ann, &ticket).await;
        assert_eq!(json!([upload["status"], upload["reason"]]), json!(["REFUSED", reason]));
        assert_eq!(json!([upload["url"], upload["sizes"]]), json!([null, null]));
        assert_eq!(status_of(&ticket["url"]).await, 404);
        assert_eq!(put(&ticket, kind, file).await, 200, "the refused file was removed");
        world.settle().await;
        assert_eq!(seen(&ann, &ticket).await, upload, "a second file does not change a refused upload");
    }
}

#[tokio::test]
async fn an_unprocessed_file_cannot_be_read() {
    let (world, [ann]) = World::with(["ann"]).await;
    let ticket = puts(&ann, "image/jpeg", &pictures::photo(60, 40, 1)).await;
    let upload_url = ticket["uploadUrl"].as_str().unwrap();
    for url in [upload_url, upload_url.split('?').next().unwrap()] {
        assert_eq!(reqwest::get(url).await.unwrap().status(), 403);
    }
    assert_eq!(status_of(&ticket["url"]).await, 404);
    assert_eq!(seen(&ann, &ticket).await["status"], "PENDING");
    world.settle().await;
    assert_eq!(status_of(&ticket["url"]).await, 200);
}

/// Uploads a file, waits for its processing, and returns the upload as its owner sees it.
pub(crate) async fn uploads(world: &World, person: &Person, kind: &str, file: Vec<u8>) -> Value {
    let ticket = puts(person, kind, &file).await;
    world.settle().await;
    seen(person, &ticket).await
}

pub(crate) async fn seen(person: &Person, ticket: &Value) -> Value {
    person.get(&format!("/upload/{}", ticket["id"].as_str().unwrap())).await.ok().data().clone()
}

pub(crate) async fn shown(upload: &Value, size: &str) -> Vec<u8> {
    let address = upload["sizes"][size].as_str().unwrap();
    reqwest::get(address).await.unwrap().error_for_status().unwrap().bytes().await.unwrap().to_vec()
}

pub(super) fn contains(file: &[u8], word: impl AsRef<[u8]>) -> bool {
    let word = word.as_ref();
    file.windows(word.len()).any(|window| window == word)
}

fn format(kind: &str) -> ImageFormat {
    ImageFormat::from_mime_type(kind).unwrap()
}
