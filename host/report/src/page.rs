//! The frame of a page that needs nothing else: no script, no font, no picture from elsewhere.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Colours by day and by night, tables, boards.
const STYLE: &str = include_str!("page.css");

/// A page.
pub fn page(title: &str, body: &Markup) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { (body) }
        }
    }
    .into_string()
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
