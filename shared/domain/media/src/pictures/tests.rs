//! Tests of the image processing. Other tests upload files over HTTP.

use std::io::Cursor;

use image::{DynamicImage, ImageEncoder, ImageFormat, codecs::png::PngEncoder};
use uploads::Reason;

use super::{animation::encode_gif, make, reduce::fit};

#[test]
fn scaling_keeps_the_aspect_ratio_and_no_side_is_zero() {
    for (size, pixels, fitted) in [
        ((4000, 3000), 2048, (2364, 1773)),
        ((3000, 4000), 320, (277, 369)),
        ((60_000_000, 1), 2048, (16_383, 1)),
        ((5000, 5000), 960, (960, 960)),
    ] {
        assert_eq!(fit(size.0, size.1, pixels), fitted);
    }
}

#[test]
fn an_rgb_color_profile_is_kept() {
    let mut profile = vec![0; 128];
    profile[16..20].copy_from_slice(b"RGB ");
    profile[40..52].copy_from_slice(b"wide colors!");
    assert!(contains(&made(&profile), b"wide colors!"));
    profile[16..20].copy_from_slice(b"CMYK");
    assert!(!contains(&made(&profile), b"wide colors!"), "a profile that is not for RGB is dropped");
    let large = [&b"0123456789abcdefRGB wide colors!"[..], &vec![0; 1024 * 1024]].concat();
    assert!(!contains(&made(&large), b"wide colors!"), "a profile that is too large is dropped");
}

#[test]
fn sixteen_bit_and_gray_images_are_accepted() {
    for image in
        [DynamicImage::new_luma8(9, 9), DynamicImage::new_rgb16(9, 9), DynamicImage::new_luma16(9, 9)]
    {
        let mut file = Cursor::new(Vec::new());
        image.write_to(&mut file, ImageFormat::Png).unwrap();
        assert_eq!(make(file.get_ref()).unwrap().picture.content_type, "image/jpeg");
    }
}

#[test]
fn a_gif_that_becomes_too_large_is_not_animated() {
    let mut encoder = gif::Encoder::new(Vec::new(), 9, 9, &[0; 6]).unwrap();
    for _ in 0..2 {
        encoder.write_frame(&gif::Frame::from_indexed_pixels(9, 9, vec![1; 81], None)).unwrap();
    }
    let file = encoder.into_inner().unwrap();
    let encoded = encode_gif(&file, usize::MAX).unwrap();
    assert!(encode_gif(&file, encoded.len() - 2).is_none());
}

#[test]
fn broken_files_do_not_panic() {
    let mut file = Cursor::new(Vec::new());
    DynamicImage::new_rgb8(40, 40).write_to(&mut file, ImageFormat::Jpeg).unwrap();
    let file = file.into_inner();
    for position in 0..file.len() {
        let mut broken = file.clone();
        broken[position] ^= 0xff;
        drop(make(&broken));
        assert!(make(&file[..position]).is_err(), "{position}");
    }
    assert_eq!(make(b"").unwrap_err(), Reason::OtherType);
}

fn made(profile: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = PngEncoder::new(&mut file);
    encoder.set_icc_profile(profile.to_vec()).unwrap();
    DynamicImage::new_rgb8(9, 9).write_with_encoder(encoder).unwrap();
    make(&file).unwrap().files[0].1.to_vec()
}

fn contains(file: &[u8], word: &[u8]) -> bool {
    file.windows(word.len()).any(|part| part == word)
}
