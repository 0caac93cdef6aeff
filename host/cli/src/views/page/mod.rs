//! Pages for a browser: each one file that needs nothing else, light or dark as the reader has it,
//! narrow or wide. All text is escaped where it is put in (`maud`).

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Colours, tables, figures and bars.
const STYLE: &str = include_str!("page.css");

/// Opens what a link leads to, where it lies folded away.
const SCRIPT: &str = include_str!("page.js");

/// A whole page.
pub fn page(title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main { (body) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
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
        div class="wide" {
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
