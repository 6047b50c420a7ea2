//! The content of an image decides its format. Other formats and damaged files are refused.

use image::{
    DynamicImage, ImageEncoder, ImageFormat,
    codecs::{jpeg::JpegEncoder, png::PngEncoder, webp::WebPEncoder},
};
use serde_json::json;
use tests::{Person, World};

use super::{
    frames::{SECRET, chunk},
    images::{contains, shown, uploads},
    pictures::{self, exif},
    requests_upload,
};

#[tokio::test]
async fn the_content_of_an_image_can_differ_from_the_declared_format() {
    let (world, [ann]) = World::with(["ann"]).await;
    for (kind, format) in [
        ("image/jpeg", ImageFormat::WebP),
        ("image/jpeg", ImageFormat::Png),
        ("image/jpg", ImageFormat::Jpeg),
        ("image/jpg", ImageFormat::Gif),
        ("image/png", ImageFormat::Jpeg),
        ("image/gif", ImageFormat::WebP),
        ("image/webp", ImageFormat::Gif),
        ("image/apng", ImageFormat::Png),
    ] {
        let upload = uploads(&world, &ann, kind, pictures::picture(30, 20, format)).await;
        assert_eq!(upload["status"], "READY", "{format:?} as {kind}: {upload}");
        let image = image::load_from_memory(&shown(&upload, "large").await).unwrap();
        assert!(pictures::is_red(&image, 2, 2) && !pictures::is_red(&image, 25, 15));
    }
}

#[tokio::test]
async fn heic_and_avif_images_are_refused_with_advice() {
    let (world, [ann]) = World::with(["ann"]).await;
    for kind in ["image/heic", "image/heif", "image/avif", "image/heic-sequence", ""] {
        let answer = requests_upload(&ann, kind, json!(5)).await;
        assert!(answer.refused(400, "VALIDATION_FAILED").ends_with("Save HEIC and AVIF images as JPEG."));
    }
    for (kind, brand) in
        [("image/jpeg", b"heic"), ("image/png", b"mif1"), ("image/webp", b"avif"), ("image/jpg", b"heix")]
    {
        let file = [b"\0\0\0\x18ftyp", &brand[..], b"\0\0\0\0mif1heic", &[0; 100]].concat();
        let upload = uploads(&world, &ann, kind, file).await;
        assert_eq!(upload["status"], "REFUSED");
        let advice = "HEIC and AVIF images are not supported. Save the image as JPEG and upload it again.";
        assert_eq!(upload["reason"], advice);
    }
}

#[tokio::test]
async fn truncated_images_are_refused() {
    let (world, [ann]) = World::with(["ann"]).await;
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::Gif, ImageFormat::WebP] {
        let image = pictures::noise(90, 60, format);
        for length in [image.len() / 3, image.len() / 2, image.len() - 200] {
            let upload = uploads(&world, &ann, format.to_mime_type(), image[..length].to_vec()).await;
            assert_eq!(upload["status"], "REFUSED", "{length} bytes of {format:?}");
            assert_eq!(json!([upload["reason"], upload["url"]]), json!(["the file cannot be read", null]));
        }
    }
}

#[tokio::test]
async fn images_with_a_huge_canvas_are_refused() {
    let (world, [ann]) = World::with(["ann"]).await;
    let mut gif = pictures::picture(4, 4, ImageFormat::Gif);
    gif[6..10].fill(0xff);
    let mut jpeg = pictures::picture(8, 8, ImageFormat::Jpeg);
    let frame = jpeg.windows(2).position(|marker| marker == [0xff, 0xc0]).unwrap();
    jpeg[frame + 5..frame + 9].fill(0xff);
    let mut content = b"WEBP".to_vec();
    chunk(&mut content, b"VP8X", &[2, 0, 0, 0, 0xfe, 0xff, 0, 0xfe, 0xff, 0]);
    chunk(&mut content, b"ANIM", &[0; 6]);
    chunk(&mut content, b"ANMF", &[0; 40]);
    let mut webp = Vec::new();
    chunk(&mut webp, b"RIFF", &content);
    for file in [gif, jpeg, webp] {
        let upload = uploads(&world, &ann, "image/jpeg", file).await;
        assert_eq!(json!([upload["status"], upload["url"]]), json!(["REFUSED", null]));
        assert_eq!(upload["reason"], "the image has more than 60 megapixels");
    }
}

#[tokio::test]
async fn images_of_all_formats_are_shown_upright_without_exif() {
    let (world, [ann]) = World::with(["ann"]).await;
    for (format, prefix) in [
        (ImageFormat::Jpeg, &b""[..]),
        (ImageFormat::Png, b""),
        (ImageFormat::WebP, b""),
        (ImageFormat::WebP, b"Exif\0\0"),
    ] {
        let mut file = with_exif(format, &[prefix, &exif(6)[6..]].concat());
        file.extend(SECRET.as_bytes());
        assert!(contains(&file, pictures::CAMERA), "{format:?}");
        let upload = uploads(&world, &ann, format.to_mime_type(), file).await;
        assert_eq!(json!([upload["width"], upload["height"]]), json!([40, 60]), "{format:?}");
        let shown = shown(&upload, "large").await;
        for word in [SECRET, pictures::CAMERA, "Exif", "EXIF", "eXIf"] {
            assert!(!contains(&shown, word), "{format:?} contains {word}");
        }
        let image = image::load_from_memory(&shown).unwrap();
        assert!(pictures::is_red(&image, 35, 5) && !pictures::is_red(&image, 5, 5), "{format:?}");
    }
}

fn with_exif(format: ImageFormat, exif: &[u8]) -> Vec<u8> {
    let image = image::load_from_memory(&pictures::picture(60, 40, ImageFormat::Png)).unwrap();
    let mut file = Vec::new();
    match format {
        ImageFormat::Jpeg => write(JpegEncoder::new(&mut file), &image, exif),
        ImageFormat::Png => write(PngEncoder::new(&mut file), &image, exif),
        _ => write(WebPEncoder::new_lossless(&mut file), &image, exif),
    }
    file
}

fn write(mut encoder: impl ImageEncoder, image: &DynamicImage, exif: &[u8]) {
    encoder.set_exif_metadata(exif.to_vec()).unwrap();
    image.write_with_encoder(encoder).unwrap();
}

#[tokio::test]
async fn a_cmyk_photo_keeps_its_colors() {
    let (world, [ann]) = World::with(["ann"]).await;
    check_halves(&world, &ann, include_bytes!("cmyk.jpg").to_vec()).await;
}

#[tokio::test]
async fn a_cmyk_photo_without_the_marker_of_adobe_keeps_its_colors() {
    let (world, [ann]) = World::with(["ann"]).await;
    let photo = include_bytes!("cmyk-inks.jpg").to_vec();
    check_halves(&world, &ann, photo.clone()).await;
    // The marker in a comment is not the marker of a segment.
    let mut comment = b"\xff\xfe\0\x09Adobe\0\0".to_vec();
    comment[3] = u8::try_from(comment.len() - 2).unwrap();
    check_halves(&world, &ann, [&photo[..2], &comment, &photo[2..]].concat()).await;
    let cut = photo[..photo.len() / 2].to_vec();
    assert_eq!(uploads(&world, &ann, "image/jpeg", cut).await["status"], "REFUSED");
}

/// Checks that the upper half of a photo is red and blue, and that the lower half is white.
async fn check_halves(world: &World, person: &Person, photo: Vec<u8>) {
    let upload = uploads(world, person, "image/jpeg", photo).await;
    assert_eq!(upload["status"], "READY", "{upload}");
    let image = image::load_from_memory(&shown(&upload, "large").await).unwrap().into_rgb8();
    for ((x, y), color) in [((3, 3), [220, 20, 20]), ((12, 3), [20, 20, 220]), ((8, 12), [255, 255, 255])] {
        let difference = |(one, other): (&u8, &u8)| one.abs_diff(*other);
        let pixel = image.get_pixel(x, y).0;
        assert!(pixel.iter().zip(&color).map(difference).all(|difference| difference < 30), "{pixel:?}");
    }
}
