//! What the page is put together from.

use lockstep_report::page::Page;
use maud::{Markup, PreEscaped, html};

/// Cards, bars, chips, source texts.
const STYLE: &str = include_str!("coverage.css");

/// Opens what a link leads to, where it lies folded away.
const SCRIPT: &str = include_str!("coverage.js");

/// A whole page.
pub fn page(title: &str, body: &Markup) -> String {
    let page = Page {
        title,
        style: STYLE,
        body: &html! {
            main { (body) }
            script { (PreEscaped(SCRIPT)) }
        },
    };
    page.text()
}

/// A number that matters, what it is of, and something beside it.
pub struct Card {
    pub name: &'static str,
    pub value: String,
    pub note: String,
}

/// Numbers that matter, side by side.
pub fn cards(cards: &[Card]) -> Markup {
    html! {
        div class="cards" {
            @for card in cards {
                div class="card" {
                    div class="name" { (card.name) }
                    div class="value" { (card.value) }
                    div class="note" { (card.note) }
                }
            }
        }
    }
}

/// A table, as wide as it has to be; those columns are of numbers.
pub fn table(header: &[&str], numbers: &[usize], rows: &[Vec<Markup>]) -> Markup {
    let class = |column: usize| numbers.contains(&column).then_some("number");
    html! {
        div class="scroll" tabindex="0" {
            table {
                thead {
                    tr {
                        @for (column, name) in header.iter().enumerate() {
                            th class=[class(column)] { (name) }
                        }
                    }
                }
                tbody {
                    @for row in rows {
                        tr {
                            @for (column, cell) in row.iter().enumerate() {
                                td class=[class(column)] { (cell) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A part of 100 as a bar.
pub fn bar(percent: f64) -> Markup {
    let style = format!("width: {percent:.1}%");
    html! { span class="bar" { span style=(style) {} } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_needs_nothing_else_and_escapes_what_is_put_in() {
        let hostile = "<script>alert(1)</script> & \"x\"";
        let rows = [vec![html! { (hostile) }, html! { "1" }]];
        let card = Card {
            name: "lines",
            value: hostile.into(),
            note: String::new(),
        };
        let body = html! { (cards(&[card])) (table(&["what", "how many"], &[1], &rows)) };
        let page = page(hostile, &body);
        assert!(!page.contains("alert(1)</script>"), "{page}");
        assert_eq!(
            page.matches("&lt;script&gt;alert(1)&lt;/script&gt; &amp; ")
                .count(),
            3
        );
        for outside in ["http", "src=", "@import", "url("] {
            assert!(!page.contains(outside), "{outside}");
        }
        assert!(page.contains("prefers-color-scheme: dark"));
    }
}
