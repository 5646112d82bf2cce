//! Filters, scaling, turning and coding of images; prints hashes of their bytes.
use image::imageops::{self, FilterType};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use std::io::Cursor;

fn print(what: &str, bytes: &[u8]) {
    let hash = bytes.iter().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3));
    println!("{what} {} {hash:016x}", bytes.len());
}

fn main() {
    let n: u32 = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(50);
    let image = RgbImage::from_fn(2 * n, n, |x, y| {
        Rgb([(x * x / 97 + y) as u8, (x + y * y / 53) as u8, (x * y / 61) as u8])
    });
    print("blur", imageops::blur(&image, 2.5).as_raw());
    print("sharpen", imageops::unsharpen(&image, 1.5, 4).as_raw());
    print("filter", imageops::filter3x3(&image, &[-1.0, -1.0, -1.0, -1.0, 9.0, -1.0, -1.0, -1.0, -1.0]).as_raw());
    for (name, filter) in [("triangle", FilterType::Triangle), ("cubic", FilterType::CatmullRom), ("lanczos", FilterType::Lanczos3), ("nearest", FilterType::Nearest)] {
        print(name, imageops::resize(&image, n, n / 3, filter).as_raw());
        print(name, imageops::resize(&image, 3 * n, 2 * n, filter).as_raw());
    }
    print("turned", imageops::rotate90(&image).as_raw());
    print("mirrored", imageops::flip_horizontal(&imageops::flip_vertical(&image)).as_raw());
    print("grey", imageops::grayscale(&image).as_raw());
    print("hue", imageops::huerotate(&imageops::brighten(&image, 20), 90).as_raw());
    let whole = DynamicImage::ImageRgb8(image);
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Bmp, ImageFormat::Gif, ImageFormat::Tiff, ImageFormat::Qoi] {
        let mut bytes = Cursor::new(vec![]);
        whole.write_to(&mut bytes, format).unwrap();
        print("coded", bytes.get_ref());
        print("decoded", image::load_from_memory_with_format(bytes.get_ref(), format).unwrap().to_rgb8().as_raw());
    }
}
