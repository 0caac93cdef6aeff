//! The picture of a game: sync and pixels, what it shows, and how it leaves by DVI.

pub mod dvi;
pub mod painter;
pub mod picture;
pub mod scene;
pub mod tetris;
pub mod timing;
pub mod whole;
