//! `make openapi`: writes the OpenAPI and AsyncAPI documents and the guides into the folder of the function that serves
//! them.

use std::{fs, io, path::Path};

fn main() -> io::Result<()> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../functions/docs-api"));
    fs::write(folder.join("openapi.json"), documents::openapi::published())?;
    fs::write(folder.join("asyncapi.json"), documents::asyncapi::published())?;
    fs::write(folder.join("guides.txt"), documents::guides::published())
}
