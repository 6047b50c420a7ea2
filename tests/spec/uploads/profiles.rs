//! Color profiles of images.

use std::io::Cursor;

use image::{
    DynamicImage, ImageDecoder, ImageEncoder, ImageReader,
    codecs::{jpeg::JpegEncoder, png::PngEncoder, webp::WebPEncoder},
};
use serde_json::json;
use tests::{Person, World};

use super::{
    images::{contains, shown, uploads},
    pictures::CAMERA,
};

const MIB: usize = 1024 * 1024;

#[tokio::test]
async fn color_profiles_of_up_to_1_mib_are_kept() {
    let (world, [ann]) = World::with(["ann"]).await;
    for bytes in [500, 20_000, 560_000, MIB] {
        let profile = profile(b"RGB ", bytes);
        for kind in ["image/jpeg", "image/png", "image/webp"] {
            let file = written(kind, &DynamicImage::new_rgb8(30, 20), &profile);
            let kept = shown_profile(&world, &ann, kind, file).await;
            assert!(kept == Some(profile.clone()), "{bytes} bytes in {kind}");
        }
    }
    let file = written("image/png", &DynamicImage::new_rgb8(30, 20), &profile(b"RGB ", MIB + 1));
    assert_eq!(shown_profile(&world, &ann, "image/png", file).await, None);
}

#[tokio::test]
async fn gray_and_transparent_images_keep_their_color_profile() {
    let (world, [ann]) = World::with(["ann"]).await;
    for (kind, image, space) in [
        ("image/jpeg", DynamicImage::new_luma8(30, 20), b"GRAY"),
        ("image/png", DynamicImage::new_luma16(30, 20), b"GRAY"),
        ("image/png", DynamicImage::new_rgba8(30, 20), b"RGB "),
        ("image/webp", DynamicImage::new_rgba8(30, 20), b"RGB "),
    ] {
        let profile = profile(space, 30_000);
        let file = written(kind, &image, &profile);
        assert!(shown_profile(&world, &ann, kind, file).await == Some(profile), "{image:?} in {kind}");
    }
}

#[tokio::test]
async fn a_photo_with_a_color_profile_loses_its_other_metadata() {
    let (world, [ann]) = World::with(["ann"]).await;
    let jpeg = written("image/jpeg", &DynamicImage::new_rgb8(30, 20), &profile(b"RGB ", 100_000));
    for (marker, content) in [
        (0xe1, format!("Exif\0\0II*\0{CAMERA}")),
        (0xe1, format!("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>{CAMERA}</x:xmpmeta>")),
        (0xed, format!("Photoshop 3.0\0{CAMERA}")),
        (0xfe, CAMERA.to_owned()),
    ] {
        let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
        let segment = [&[0xff, marker], &length[..], content.as_bytes()].concat();
        let file = [&jpeg[..2], &segment, &jpeg[2..], CAMERA.as_bytes()].concat();
        let upload = uploads(&world, &ann, "image/jpeg", file).await;
        assert_eq!(upload["status"], json!("READY"), "{content}");
        let shown = shown(&upload, "large").await;
        assert!(!contains(&shown, CAMERA) && contains(&shown, "ICC_PROFILE"), "{content}");
    }
}

/// Returns a color profile of random bytes, which do not compress.
fn profile(color_space: &[u8; 4], bytes: usize) -> Vec<u8> {
    let mut profile: Vec<u8> =
        (0..bytes as u64).map(|index| (index.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as u8).collect();
    profile[16..20].copy_from_slice(color_space);
    profile
}

fn written(kind: &str, image: &DynamicImage, profile: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    match kind {
        "image/jpeg" => write(JpegEncoder::new(&mut file), image, profile),
        "image/png" => write(PngEncoder::new(&mut file), image, profile),
        _ => write(WebPEncoder::new_lossless(&mut file), image, profile),
    }
    file
}

fn write(mut encoder: impl ImageEncoder, image: &DynamicImage, profile: &[u8]) {
    encoder.set_icc_profile(profile.to_vec()).unwrap();
    image.write_with_encoder(encoder).unwrap();
}

/// Uploads an image, and returns the color profile of the smallest processed size.
async fn shown_profile(world: &World, person: &Person, kind: &str, file: Vec<u8>) -> Option<Vec<u8>> {
    let upload = uploads(world, person, kind, file).await;
    assert_eq!(upload["status"], "READY", "{upload}");
    let shown = Cursor::new(shown(&upload, "small").await);
    let reader = ImageReader::new(shown).with_guessed_format().unwrap();
    reader.into_decoder().unwrap().icc_profile().unwrap()
}
