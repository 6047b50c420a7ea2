//! Test images: photos with EXIF data, and a decompression bomb.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};

/// Camera name in the EXIF data.
pub(crate) const CAMERA: &str = "Camera of Ann, 4 Elm Street";

const RED: [u8; 3] = [220, 20, 20];
const BLUE: [u8; 3] = [20, 20, 220];

/// Returns a blue image with a red quarter at its top left.
pub(crate) fn picture(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let quarter = |x, y| if x < width / 2 && y < height / 2 { Rgb(RED) } else { Rgb(BLUE) };
    written(DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, quarter)), format)
}

/// Returns an image of random pixels, which does not compress.
pub(crate) fn noise(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let pixel = |x: u32, y: u32| {
        Rgb((x * 77_101 + y * 7919).wrapping_mul(0x9e37_79b9).to_le_bytes()[1..].try_into().unwrap())
    };
    written(DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, pixel)), format)
}

/// Returns an image whose lower half is transparent.
pub(crate) fn see_through(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let pixel = |_, y| if y < height / 2 { Rgba([20, 220, 20, 255]) } else { Rgba([0, 0, 0, 0]) };
    written(DynamicImage::ImageRgba8(RgbaImage::from_fn(width, height, pixel)), format)
}

/// Returns a photo with camera, location and orientation in its EXIF data.
pub(crate) fn photo(width: u32, height: u32, orientation: u16) -> Vec<u8> {
    let jpeg = picture(width, height, ImageFormat::Jpeg);
    let exif = exif(orientation);
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    [&jpeg[..2], &[0xff, 0xe1], &length, &exif, &jpeg[2..]].concat()
}

/// Returns whether the pixel is red, as in the red quarter of [`picture`].
pub(crate) fn is_red(image: &DynamicImage, x: u32, y: u32) -> bool {
    let [red, _, blue] = image.to_rgb8().get_pixel(x, y).0;
    red > 150 && blue < 100
}

/// Returns an image of 70 megapixels, compressed to 200 KB.
pub(crate) fn bomb() -> Vec<u8> {
    written(DynamicImage::new_luma8(10_000, 7_000), ImageFormat::Png)
}

fn written(image: DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// Returns EXIF data with three entries: camera, orientation, and the offset of the location.
pub(crate) fn exif(orientation: u16) -> Vec<u8> {
    let (camera, place) = (50_u32, 50 + 64_u32);
    let mut exif = b"Exif\0\0II*\0\x08\0\0\0\x03\0".to_vec();
    for (tag, kind, count, value) in [
        (0x010f_u16, 2_u16, CAMERA.len() as u32, camera),
        (0x0112, 3, 1, u32::from(orientation)),
        (0x8825, 4, 1, place),
    ] {
        exif.extend([&tag.to_le_bytes()[..], &kind.to_le_bytes()].concat());
        exif.extend([count.to_le_bytes(), value.to_le_bytes()].concat());
    }
    exif.extend([0; 4]);
    exif.extend(CAMERA.bytes().chain(std::iter::repeat(0)).take(64));
    // The latitude: 48 degrees, 51 minutes and 29 seconds north.
    exif.extend(b"\x02\0\x01\0\x02\0\x02\0\0\0N\0\0\0\x02\0\x05\0\x03\0\0\0");
    exif.extend((place + 30).to_le_bytes());
    exif.extend([0; 4]);
    for number in [48_u32, 1, 51, 1, 29, 1] {
        exif.extend(number.to_le_bytes());
    }
    exif
}
