//! Draws a decision: the boards of all backends, their fields and times, and a status line.

use std::time::Duration;

use indicatif::HumanCount;
use lockstep_games::Picture;
use lockstep_games::picture::{Cell, Colour};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Sparkline, Wrap};

use crate::output::{DECISIONS, count};
use crate::session::heard::{Board, Shown, Times};

/// Columns of the panel beside the boards.
const PANEL: u16 = 26;
/// Columns of a value in the panel.
const VALUE: usize = 9;
/// Longest time that a piece takes to fall, and the shortest pause in which it does.
const FALL: Duration = Duration::from_millis(400);
const LEAST_FALL: Duration = Duration::from_millis(100);

const HELP: [(&str, &str); 10] = [
    ("q", "stop and leave"),
    ("space", "pause, go on"),
    ("left, right", "previous, next"),
    ("d, D", "next divergence, previous"),
    ("Home, End", "oldest kept, latest"),
    ("g 12 Enter", "decision 12"),
    ("+, -", "faster, slower"),
    ("Ctrl-Z", "back to the shell; fg returns"),
    ("!", "differs from the first"),
    ("?", "this help"),
];

pub struct Status {
    pub decisions: u64,
    pub divergences: u64,
    pub is_over: bool,
    pub is_latest: bool,
    pub is_paused: bool,
    pub shows_help: bool,
    /// Number of a decision that is being typed.
    pub typed: Option<String>,
    /// The error that ended the session.
    pub error: Option<String>,
    pub pause: Duration,
    /// Decisions a second.
    pub rate: f64,
}

pub fn draw(frame: &mut Frame<'_>, shown: Option<&Shown>, status: &Status) {
    let one = Constraint::Length(1);
    let [head, body, foot] = Layout::vertical([one, Constraint::Min(0), one]).areas(frame.area());
    match shown {
        None if status.is_over => {}
        None => frame.render_widget(Paragraph::new("waiting for the first decision"), body),
        Some(shown) => {
            let line = Line::from(shown.head.join(", ")).style(Modifier::BOLD);
            frame.render_widget(line, head);
            let width = cell_width(shown, body);
            let fits = fitting(shown, width, body.width);
            let mut rest = body;
            for board in &shown.boards[..fits] {
                let columns = span(board, width).min(rest.width);
                let [area, right] =
                    Layout::horizontal([Constraint::Length(columns), Constraint::Min(0)])
                        .areas(rest);
                let rows = board.picture.rows();
                let has_halves = rows + 2 > area.height.into();
                let rows = if has_halves { rows.div_ceil(2) } else { rows };
                let high = u16::try_from(rows + 2).unwrap_or(u16::MAX);
                let area = Rect {
                    height: high.min(area.height),
                    ..area
                };
                draw_board(frame, area, board, width, fallen(shown, status));
                rest = right;
            }
            draw_panel(frame, rest, shown, fits);
        }
    }
    frame.render_widget(status_line(status, shown), foot);
    if let Some(error) = &status.error {
        let lines = Paragraph::new(format!("error: {error}")).style(bad());
        let [_, below] = Layout::vertical([Constraint::Min(0), Constraint::Max(3)]).areas(body);
        frame.render_widget(Clear, below);
        frame.render_widget(lines.wrap(Wrap { trim: true }), below);
    }
    if status.shows_help {
        draw_help(frame, body);
    }
}

/// Columns of a cell: 2 if all boards fit.
fn cell_width(shown: &Shown, area: Rect) -> u16 {
    let all = shown.boards.iter().map(|board| usize::from(span(board, 2)));
    let is_high = |board: &Board| board.picture.rows() + 2 > area.height.into();
    let fits = all.sum::<usize>() + usize::from(PANEL) <= area.width.into();
    if fits && !shown.boards.iter().any(is_high) {
        2
    } else {
        1
    }
}

/// Columns of a board with its border.
fn span(board: &Board, width: u16) -> u16 {
    let columns = u16::try_from(board.picture.columns()).unwrap_or(u16::MAX);
    columns.saturating_mul(width).saturating_add(2)
}

/// Number of boards that fit beside the panel; at least one.
fn fitting(shown: &Shown, width: u16, columns: u16) -> usize {
    let mut left = columns.saturating_sub(PANEL);
    let fits = shown.boards.iter().take_while(|board| {
        let span = span(board, width);
        let fits = span <= left;
        left = left.saturating_sub(span);
        fits
    });
    fits.count().max(1).min(shown.boards.len())
}

/// How far the piece has fallen, 0 to 1.
fn fallen(shown: &Shown, status: &Status) -> f32 {
    match shown.since {
        Some(since) if status.pause >= LEAST_FALL && !status.is_over => {
            (since.as_secs_f32() / status.pause.min(FALL).as_secs_f32()).min(1.0)
        }
        _ => 1.0,
    }
}

fn draw_board(frame: &mut Frame<'_>, area: Rect, board: &Board, width: u16, fallen: f32) {
    let (name, style) = match board.differs {
        true => (format!("! {}", board.name), bad()),
        false => (board.name.clone(), Style::new()),
    };
    let picture = falling(&board.picture, fallen);
    let mut block = Block::bordered()
        .title(Line::from(name).style(style))
        .border_style(style);
    let inside = block.inner(area);
    let (columns, rows) = (picture.columns(), picture.rows());
    let wide = columns.min((inside.width / width).into());
    let high = rows.min(2 * usize::from(inside.height));
    if (wide, high) != (columns, rows) {
        block = block.title_bottom(format!(
            "{wide} of {columns} columns, {high} of {rows} rows"
        ));
    }
    frame.render_widget(block, area);
    if picture.rows() > inside.height.into() {
        draw_halves(frame, inside, &picture);
        return;
    }
    for (row, cells) in inside.rows().zip(picture.lines()) {
        let spans = cells
            .iter()
            .map(|cell| text(cell, width, picture.bottom_up));
        frame.render_widget(Line::from_iter(spans), row);
    }
}

/// Draws a picture that is too high: in half blocks, two cells in a character.
fn draw_halves(frame: &mut Frame<'_>, area: Rect, picture: &Picture) {
    let lines: Vec<_> = picture.lines().collect();
    let pairs: Vec<_> = lines.chunks(2).collect();
    // Of a board that is filled from its bottom the top is empty longest.
    let hidden = pairs.len().saturating_sub(area.height.into());
    let skipped = if picture.bottom_up { hidden } else { 0 };
    for (row, pair) in area.rows().zip(&pairs[skipped..]) {
        let below = |column: usize| pair.get(1).map_or(Cell::EMPTY, |line| line[column]);
        let halves = pair[0].iter().enumerate().map(|(column, upper)| {
            let (upper, lower) = (upper.colour, below(column).colour);
            let style = Style::new();
            match (upper == Colour::Empty, lower == Colour::Empty) {
                (true, true) => Span::raw(" "),
                (false, true) => Span::styled("▀", style.fg(colour(upper))),
                (true, false) => Span::styled("▄", style.fg(colour(lower))),
                _ if upper == lower => Span::styled("█", style.fg(colour(upper))),
                _ => Span::styled("▀", style.fg(colour(upper)).bg(colour(lower))),
            }
        });
        frame.render_widget(Line::from_iter(halves), row);
    }
}

/// A picture whose marked cells are still on their way down, if its cells fall.
fn falling(picture: &Picture, fallen: f32) -> Picture {
    let lines: Vec<_> = picture.lines().collect();
    let above = lines
        .iter()
        .position(|line| line.iter().any(|cell| cell.marked));
    let higher = ((1.0 - fallen) * above.unwrap_or(0) as f32).round() as usize;
    if !picture.bottom_up || higher == 0 {
        return picture.clone();
    }
    let mut moved = picture.clone();
    let all = |is_marked: bool| {
        let cells = lines.iter().enumerate().flat_map(|(line, cells)| {
            cells
                .iter()
                .enumerate()
                .map(move |(column, cell)| (line, column, *cell))
        });
        cells.filter(move |(.., cell)| cell.marked == is_marked)
    };
    for (line, column, _) in all(true) {
        if let Some(cell) = moved.cell(column, picture.row_of_line(line)) {
            *cell = Cell::EMPTY;
        }
    }
    for (line, column, marked) in all(true) {
        if let Some(cell) = moved.cell(column, picture.row_of_line(line - higher)) {
            *cell = marked;
        }
    }
    moved
}

fn text(cell: &Cell, width: u16, is_filled: bool) -> Span<'static> {
    let sign = if cell.colour == Colour::Empty {
        '·'
    } else {
        cell.sign
    };
    let again = is_filled && cell.colour != Colour::Empty;
    let text = match width {
        1 => sign.to_string(),
        _ if again => format!("{sign}{sign}"),
        _ => format!("{sign} "),
    };
    let mut style = Style::new().fg(colour(cell.colour));
    if cell.marked {
        style = style.add_modifier(Modifier::REVERSED);
    }
    Span::styled(text, style)
}

/// A colour that every terminal has.
pub fn colour(colour: Colour) -> Color {
    match colour {
        Colour::Empty => Color::DarkGray,
        Colour::Grey => Color::Gray,
        Colour::Cyan => Color::Cyan,
        Colour::Yellow => Color::LightYellow,
        Colour::Purple => Color::Magenta,
        Colour::Green => Color::Green,
        Colour::Red => Color::Red,
        Colour::Blue => Color::LightBlue,
        Colour::Orange => Color::Yellow,
        // The terminal's own colours: its background may be either.
        Colour::Black | Colour::White => Color::Reset,
    }
}

fn bad() -> Style {
    Style::new().fg(Color::Red).add_modifier(Modifier::BOLD)
}

fn draw_panel(frame: &mut Frame<'_>, area: Rect, shown: &Shown, boards: usize) {
    let mut lines: Vec<Line<'_>> = Vec::new();
    if let Some(first) = shown.boards.first() {
        lines.extend(
            first
                .picture
                .notes
                .iter()
                .map(|note| Line::from(note.as_str())),
        );
    }
    if boards < shown.boards.len() {
        let more = shown.boards.len() - boards;
        lines.push(Line::from(format!("{more} more backends do not fit")));
    }
    // A column of its own for each backend whose values differ.
    let mut columns: Vec<_> = (0..shown.boards.len())
        .filter(|column| *column == 0 || shown.boards[*column].differs)
        .collect();
    let names = shown.rows.iter().map(|row| row.name.chars().count()).max();
    let names = names.unwrap_or(0);
    // A value that does not fit would be cut into another one.
    let fits = usize::from(area.width).saturating_sub(names + 1) / (VALUE + 2);
    columns.truncate(fits.max(1));
    if columns.len() > 1 {
        let heads = columns
            .iter()
            .map(|column| format!("  {:>VALUE$.VALUE$}", shown.boards[*column].name));
        lines.push(Line::from(format!(
            "{:names$}{}",
            "",
            heads.collect::<String>()
        )));
    }
    for row in &shown.rows {
        let mut line = Line::from(format!("{:names$}", row.name));
        for (value, differs) in columns.iter().filter_map(|column| row.value(*column)) {
            let (mark, style) = if *differs {
                ("!", bad())
            } else {
                ("", Style::new())
            };
            let value = format!("  {:>VALUE$}", format!("{mark}{value}"));
            line.push_span(Span::styled(value, style));
        }
        lines.push(line);
    }
    lines.push(Line::default());
    let [_, area] = Layout::horizontal([Constraint::Length(1), Constraint::Min(0)]).areas(area);
    let high = u16::try_from(lines.len())
        .unwrap_or(u16::MAX)
        .min(area.height);
    let [top, mut rest] =
        Layout::vertical([Constraint::Length(high), Constraint::Min(0)]).areas(area);
    frame.render_widget(Paragraph::new(lines), top);
    for Times { name, micros, baud } in &shown.times {
        let last = micros.last().copied().unwrap_or(0);
        let mut titles = vec![Line::from(format!("{:8} {name}", duration(last)))];
        titles.extend(baud.map(|baud| Line::from(format!("at {} baud", HumanCount(baud.into())))));
        let [title, bars, below] = Layout::vertical([
            Constraint::Length(titles.len() as u16),
            Constraint::Length(2),
            Constraint::Min(0),
        ])
        .areas(rest);
        frame.render_widget(Paragraph::new(titles), title);
        let fits = micros.len().saturating_sub(bars.width.into());
        frame.render_widget(Sparkline::default().data(&micros[fits..]), bars);
        rest = below;
    }
}

/// A time in microseconds, in a unit that leaves few digits.
fn duration(micros: u64) -> String {
    match micros {
        0..1_000 => format!("{micros} µs"),
        1_000..1_000_000 => format!("{:.1} ms", micros as f64 / 1e3),
        _ => format!("{:.1} s", micros as f64 / 1e6),
    }
}

fn status_line(status: &Status, shown: Option<&Shown>) -> Line<'static> {
    let state = match status {
        Status {
            typed: Some(typed), ..
        } => format!("GO TO {typed}_"),
        Status {
            is_latest: false, ..
        } => match shown {
            Some(shown) => format!("DECISION {}", HumanCount(shown.number)),
            None => String::new(),
        },
        Status { error: Some(_), .. } => "FAILED".to_owned(),
        Status { is_over: true, .. } => "ENDED".to_owned(),
        Status {
            is_paused: true, ..
        } => "PAUSED".to_owned(),
        _ => format!("{} ms", status.pause.as_millis()),
    };
    let decisions = count(status.decisions, DECISIONS);
    let rate = status.rate;
    let diverged = format!("{} diverged", HumanCount(status.divergences));
    let style = if status.divergences > 0 {
        bad()
    } else {
        Style::new()
    };
    Line::from_iter([
        Span::styled(format!("{state:<13} "), Modifier::BOLD),
        Span::raw(format!("{decisions}, {rate:.0}/s, ")),
        Span::styled(diverged, style),
        Span::raw("   q quit  ? help  space pause"),
    ])
}

fn draw_help(frame: &mut Frame<'_>, area: Rect) {
    let lines = HELP.map(|(key, does)| Line::from(format!(" {key:<11} {does}")));
    let area = area.centered(
        Constraint::Length(40.min(area.width)),
        Constraint::Length((HELP.len() as u16 + 2).min(area.height)),
    );
    frame.render_widget(Clear, area);
    let block = Block::bordered().title("Keys");
    frame.render_widget(Paragraph::new(Vec::from(lines)).block(block), area);
}
