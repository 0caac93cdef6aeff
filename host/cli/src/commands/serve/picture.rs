//! The picture of a served board: in a file, and live in browsers.

use std::convert::Infallible;
use std::net::TcpListener;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use crc::{CRC_32_ISO_HDLC, Crc};
use futures::stream::unfold;
use lockstep_board::Screen;
use miniz_oxide::deflate::compress_to_vec_zlib;
use sim::monitor::{Frame, HEIGHT, WIDTH};
use tokio::sync::watch;

use crate::output::files::check_output;
use crate::session::web::{Address, announce, serve_until};

/// The options for a board's picture.
#[derive(clap::Args)]
pub struct PictureArgs {
    /// Write the board's picture to this file, as PNG, whenever another one is shown
    #[arg(long, value_name = "FILE", requires = "board")]
    png: Option<PathBuf>,
    /// Show the board's picture live in browsers, at HOST:PORT or at a port on this machine alone
    /// (0: any free one)
    #[arg(long, value_name = "ADDR", requires = "board")]
    view: Option<Address>,
}

impl PictureArgs {
    /// Whether the picture goes anywhere; to decode it takes most of the time.
    pub fn is_shown(&self) -> bool {
        self.png.is_some() || self.view.is_some()
    }

    /// Fails before any work if the picture cannot be shown.
    pub fn open(&self) -> anyhow::Result<Picture<'_>> {
        let png = self.png.as_deref();
        png.map_or(Ok(()), |file| check_output("--png", file, &[]))?;
        let listener = self.view.as_ref().map(Address::bind).transpose();
        let listener = listener.map_err(|why| anyhow!("--view {why}"))?;
        Ok(Picture { png, listener })
    }
}

/// Where pictures go.
pub struct Picture<'a> {
    png: Option<&'a Path>,
    listener: Option<TcpListener>,
}

impl Picture<'_> {
    /// Passes on what a monitor shows, as long as the board runs.
    ///
    /// # Errors
    /// When the file cannot be written, or the page cannot be served.
    pub async fn show(
        self,
        mut screen: watch::Receiver<Screen>,
        quiet: bool,
    ) -> anyhow::Result<Infallible> {
        let (shows, shown) = watch::channel(Bytes::new());
        if let Some(listener) = self.listener {
            if !quiet {
                announce(&listener).context("--view")?;
            }
            tokio::spawn(serve(listener, shown)?);
        }
        let mut last = None;
        while screen.changed().await.is_ok() {
            let now = screen.borrow_and_update().clone();
            if now == last {
                continue;
            }
            match &now {
                Some(Ok(frame)) => {
                    let png = encoded(frame);
                    if let Some(file) = self.png {
                        let written = lockstep_lab::files::write(file, &png);
                        written.context("--png")?;
                    }
                    shows.send_replace(png.into());
                }
                Some(Err(why)) => anstream::eprintln!("{why}"),
                None => {}
            }
            last = now;
        }
        // The board has ended, which is reported elsewhere.
        std::future::pending().await
    }
}

/// How well PNG's data is compressed, of 10.
const COMPRESSION: u8 = 1;

/// A picture as PNG.
fn encoded(frame: &Frame) -> Vec<u8> {
    const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);
    let [width, height] = [WIDTH, HEIGHT].map(|size| (size as u32).to_be_bytes());
    // 8 bits of red, green and blue a pixel, no filter, not interlaced.
    let head = [&width[..], &height, &[8, 2, 0, 0, 0]].concat();
    let rows = frame.pixels.chunks(WIDTH);
    let rows: Vec<u8> = rows
        .flat_map(|row| [&[0], row.as_flattened()].concat())
        .collect();
    let data = compress_to_vec_zlib(&rows, COMPRESSION);
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, content) in [(b"IHDR", head), (b"IDAT", data), (b"IEND", Vec::new())] {
        let chunk = [&kind[..], &content].concat();
        bytes.extend((content.len() as u32).to_be_bytes());
        bytes.extend(&chunk);
        bytes.extend(CRC.checksum(&chunk).to_be_bytes());
    }
    bytes
}

const PAGE: &str = "<!DOCTYPE html>
<html lang=\"en\">
<title>lockstep: a board's picture</title>
<img src=\"/picture\" alt=\"the board's picture\" width=\"640\" height=\"480\">
";

/// The server of the page, whose image is replaced by each new one.
fn serve(
    listener: TcpListener,
    shown: watch::Receiver<Bytes>,
) -> anyhow::Result<impl Future<Output = ()>> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let app = Router::new()
        .route(
            "/",
            get(async || ([(header::CONTENT_TYPE, "text/html")], PAGE)),
        )
        .route("/picture", get(picture))
        .with_state(shown);
    Ok(serve_until(listener, app, std::future::pending()))
}

/// Between two images; browsers show one when they have got it.
const BOUNDARY: &str = "--picture\r\n";

async fn picture(State(mut shown): State<watch::Receiver<Bytes>>) -> Response {
    shown.mark_changed();
    let stream = unfold((shown, true), |(mut shown, is_first)| async move {
        shown.changed().await.ok()?;
        let png = shown.borrow_and_update().clone();
        let mut part = Vec::new();
        if is_first {
            part.extend(BOUNDARY.as_bytes());
        }
        if !png.is_empty() {
            let head = format!(
                "Content-Type: image/png\r\nContent-Length: {}\r\n\r\n",
                png.len()
            );
            part.extend([head.as_bytes(), &png, b"\r\n", BOUNDARY.as_bytes()].concat());
        }
        Some((Ok::<_, Infallible>(part), (shown, false)))
    });
    let kind = "multipart/x-mixed-replace; boundary=picture";
    ([(header::CONTENT_TYPE, kind)], Body::from_stream(stream)).into_response()
}
