//! The frame of a page that needs nothing else: no font, no picture, no script from elsewhere.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Colours by day and by night, text, tables, boards.
const STYLE: &str = include_str!("page.css");

/// A page.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    /// What the window is called.
    pub title: &'a str,
    /// All that is on it.
    pub body: &'a Markup,
}

impl Page<'_> {
    /// The page as a file. Text that was put in is escaped (`maud`).
    pub fn text(&self) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (self.title) }
                    style { (PreEscaped(STYLE)) }
                }
                body { (self.body) }
            }
        };
        page.into_string()
    }
}

/// A table that scrolls by itself where it is wider than the page, with the keyboard as well.
/// `name` says what is in it.
pub fn table(name: &str, header: &[&str], rows: &Markup) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label=(name) {
            table {
                thead { tr { @for cell in header { th scope="col" { (cell) } } } }
                tbody { (rows) }
            }
        }
    }
}
