//! The game on the terminal: boards, keys and statistics beside them.

use std::collections::VecDeque;
use std::io::{self, IsTerminal as _, Stdout};
use std::iter::repeat_n;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use anyhow::bail;
use lockstep_games::picture::{Cell, Colour};
use ratatui::backend::{Backend as _, CrosstermBackend};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};
use ratatui::{Frame, Terminal};
use tokio::time::{Interval, interval};

use super::Command;
use super::shown::{Choice, Shown};
use crate::games::Aim;
use crate::session::heard::Board;
use crate::session::tui::view::colour;
use crate::session::tui::{Raw, keys};

/// Interval at which the keyboard is polled.
const FRAME: Duration = Duration::from_millis(33);
/// Looks after which the screen is drawn although nothing was pressed: it may have another size.
const REDRAWN: u32 = 8;
/// Columns of the panel beside the boards.
const PANEL: u16 = 26;
/// Columns of the number of a row, beside the board.
const NUMBER: u16 = 2;

/// The terminal with a game.
pub struct Screen {
    _raw: Raw,
    terminal: Terminal<CrosstermBackend<Stdout>>,
    keys: Receiver<io::Result<KeyEvent>>,
    /// Keys that a board's buttons stand for.
    pressed: VecDeque<KeyCode>,
    frames: Interval,
    /// Polls of the keyboard until the screen is drawn.
    left: u32,
    shown: Option<Shown>,
    view: View,
}

/// The state of the screen: keys change it without the game.
#[derive(Default)]
struct View {
    /// Index of the choice at which the person aims.
    aimed: usize,
    /// The place of it, kept for the next move.
    at: Option<[usize; 2]>,
    /// The key that leaves a game in progress when it is pressed again.
    armed: Option<char>,
    shows_help: bool,
}

impl Screen {
    /// Fails if there is no terminal.
    pub fn check() -> anyhow::Result<()> {
        let is_dumb = std::env::var_os("TERM").is_some_and(|name| name == "dumb");
        if is_dumb || !io::stdout().is_terminal() || !io::stdin().is_terminal() {
            bail!(
                "standard input and output are not a terminal that can be drawn on; run it in a \
                 terminal, or add --view 8080 to play in a browser"
            );
        }
        Ok(())
    }

    /// Takes over the terminal.
    ///
    /// # Errors
    /// When it cannot be used.
    pub fn start() -> io::Result<Self> {
        Ok(Self {
            _raw: Raw::enter()?,
            terminal: Terminal::new(CrosstermBackend::new(io::stdout()))?,
            keys: keys()?,
            pressed: VecDeque::new(),
            frames: interval(FRAME),
            left: 0,
            shown: None,
            view: View::default(),
        })
    }

    pub fn show(&mut self, shown: Shown) {
        let is_new = self.shown.as_ref().is_none_or(|s| s.moves != shown.moves);
        self.view.armed = None;
        if is_new && !shown.choices.is_empty() {
            self.view.begin(&shown);
        }
        self.shown = Some(shown);
        self.left = 0;
        // A warning may have been written across it. If clearing fails, so does drawing.
        let _ = self.terminal.backend_mut().clear();
        self.terminal.swap_buffers();
    }

    /// Presses a key `count` times.
    pub fn press(&mut self, key: KeyCode, count: usize) {
        self.pressed.extend(repeat_n(key, count));
    }

    /// Waits for a key that is a command.
    ///
    /// # Errors
    /// When the terminal cannot be used.
    pub async fn next(&mut self) -> io::Result<Command> {
        loop {
            self.frames.tick().await;
            let Some(shown) = &self.shown else { continue };
            loop {
                let key = match self.pressed.pop_front() {
                    Some(key) => key.into(),
                    None => match self.keys.try_recv() {
                        Ok(key) => key?,
                        Err(_) => break,
                    },
                };
                self.left = 0;
                if let Some(command) = self.view.press(shown, key) {
                    return Ok(command);
                }
            }
            self.left = match self.left {
                0 => {
                    self.terminal.draw(|frame| self.view.draw(frame, shown))?;
                    REDRAWN
                }
                left => left - 1,
            };
        }
    }
}

impl View {
    /// Aims near the last move, or in the middle.
    fn begin(&mut self, shown: &Shown) {
        let picture = &shown.boards[0].picture;
        let (row, weight) = match shown.aim {
            Aim::Cell => (picture.rows() / 2, 1),
            Aim::Column | Aim::Piece => (0, 1000),
        };
        let middle = [(picture.columns() - 1) / 2, row];
        let old = self.at.filter(|_| shown.aim != Aim::Piece);
        let [column, second] = old.unwrap_or(middle);
        let far = |[x, y]: [usize; 2]| x.abs_diff(column) + weight * y.abs_diff(second);
        let all = shown.choices.iter().enumerate();
        let nearest = all.min_by_key(|(_, choice)| far(choice.at));
        self.aimed = nearest.map_or(0, |(index, _)| index);
    }

    /// Acts on a key.
    fn press(&mut self, shown: &Shown, key: KeyEvent) -> Option<Command> {
        let code = match key.code {
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                return Some(Command::Quit);
            }
            code => code,
        };
        let armed = self.armed.take();
        let had_help = std::mem::take(&mut self.shows_help);
        let is_falling = shown.aim != Aim::Cell;
        match code {
            KeyCode::Char('?' | 'h') => self.shows_help = !had_help,
            KeyCode::Char('q') | KeyCode::Esc if had_help => {}
            KeyCode::Char(key @ ('q' | '1' | '2')) => {
                if !shown.is_over && shown.moves > 1 && armed != Some(key) {
                    self.armed = Some(key);
                    return None;
                }
                return Some(match key {
                    'q' => Command::Quit,
                    key => Command::New { first: key == '1' },
                });
            }
            KeyCode::Char('u') => return Some(Command::TakeBack),
            KeyCode::Char('a') => return Some(Command::Advice),
            KeyCode::Enter | KeyCode::Char(' ') => return self.play(shown),
            KeyCode::Down if is_falling => return self.play(shown),
            KeyCode::Left | KeyCode::Right | KeyCode::Up | KeyCode::Down => {
                self.aim(shown, code);
            }
            _ => {}
        }
        None
    }

    fn play(&mut self, shown: &Shown) -> Option<Command> {
        let at = shown.choices.get(self.aimed)?.at;
        self.at = Some(at);
        Some(Command::Play {
            at,
            moves: shown.moves,
        })
    }

    /// Aims at the next legal move in the direction of a key.
    fn aim(&mut self, shown: &Shown, key: KeyCode) {
        let Some([column, second]) = shown.choices.get(self.aimed).map(|choice| choice.at) else {
            return;
        };
        // The distance to a move in that direction; the least is taken.
        let far = |[x, y]: [usize; 2]| match (key, shown.aim) {
            (KeyCode::Left, _) if y == second => column.checked_sub(x),
            (KeyCode::Right, _) if y == second => x.checked_sub(column),
            (KeyCode::Up, Aim::Cell) if x == column => second.checked_sub(y),
            (KeyCode::Down, Aim::Cell) if x == column => y.checked_sub(second),
            // The next rotation, and after the last one the first.
            (KeyCode::Up, Aim::Piece) if y != second => {
                let turns = if y > second {
                    y - second
                } else {
                    4 + y - second
                };
                Some(1000 * turns + x.abs_diff(column))
            }
            _ => None,
        };
        let all = shown.choices.iter().enumerate();
        let ahead = all.filter_map(|(index, choice)| Some((far(choice.at)?, index)));
        let nearest = ahead.filter(|(far, _)| *far > 0).min();
        self.aimed = nearest.map_or(self.aimed, |(_, index)| index);
    }

    fn draw(&self, frame: &mut Frame<'_>, shown: &Shown) {
        // Lines of words fill at least four fifths of the width.
        let lines = 1 + shown.title.len() * 5 / 4 / usize::from(frame.area().width).max(1);
        let lines = Constraint::Length(lines.try_into().unwrap_or(u16::MAX));
        let [head, body] = Layout::vertical([lines, Constraint::Min(0)]).areas(frame.area());
        let title = Paragraph::new(&*shown.title).style(Modifier::BOLD);
        frame.render_widget(title.wrap(Wrap { trim: true }), head);
        let mut rest = body;
        for (index, board) in shown.boards.iter().enumerate() {
            let wide = 2 * board.picture.columns() + 3 + usize::from(NUMBER);
            let wide = u16::try_from(wide).unwrap_or(u16::MAX);
            if index > 0 && wide + PANEL > rest.width {
                break;
            }
            let high = u16::try_from(board.picture.rows() + 2).unwrap_or(u16::MAX);
            // The panel is below a board that leaves no room for it.
            let is_narrow = index == 0 && wide + PANEL > rest.width;
            let [area, after] = match is_narrow {
                true => Layout::vertical([Constraint::Max(high), Constraint::Min(0)]),
                false => Layout::horizontal([Constraint::Max(wide), Constraint::Min(0)]),
            }
            .areas(rest);
            let area = Rect {
                width: wide.min(area.width),
                height: high.min(area.height),
                ..area
            };
            let aimed = shown.choices.get(self.aimed).filter(|_| index == 0);
            draw_board(frame, area, board, shown, aimed);
            rest = after;
            if is_narrow {
                break;
            }
        }
        let [_, panel] =
            Layout::horizontal([Constraint::Length(1), Constraint::Min(0)]).areas(rest);
        frame.render_widget(self.panel(shown), panel);
        if self.shows_help {
            let mut lines = vec![Line::from(&*shown.rules), Line::default()];
            lines.extend(keys_of(shown));
            let area = body.centered(Constraint::Max(66), Constraint::Max(18));
            frame.render_widget(Clear, area);
            let help = Paragraph::new(lines).wrap(Wrap { trim: false });
            frame.render_widget(help.block(Block::bordered().title("Help")), area);
        }
    }

    fn panel<'a>(&'a self, shown: &'a Shown) -> Paragraph<'a> {
        let waited = shown.since.elapsed().as_secs();
        let state = match shown.is_thinking && waited > 0 {
            true => format!("{} ({waited} s)", shown.state),
            false => shown.state.clone(),
        };
        let note = match self.armed {
            Some(key) => {
                format!("the game is not over, and would not count: {key} again leaves it")
            }
            None => shown.note.clone(),
        };
        let mut lines = vec![
            Line::from(state).style(Modifier::BOLD),
            Line::from(note).style(Modifier::ITALIC),
        ];
        let notes = shown.boards.iter().flat_map(|board| &board.picture.notes);
        lines.extend(notes.map(|note| Line::from(&**note)));
        lines.push(Line::default());
        lines.extend(keys_of(shown));
        lines.push(Line::default());
        for [_, _, turn, _, won, lost, drawn, helped] in shown.statistics.iter().skip(1) {
            lines.push(Line::from(format!("you moved {turn}: {won} won,")));
            lines.push(Line::from(format!(
                "  {lost} lost, {drawn} drawn, {helped} with help"
            )));
        }
        Paragraph::new(lines).wrap(Wrap { trim: false })
    }
}

/// The keys, a line each.
fn keys_of(shown: &Shown) -> Vec<Line<'static>> {
    let advice = shown.adviser.as_ref();
    let advice = advice.map(|adviser| format!("advice of {adviser}"));
    let mut all = match shown.aim {
        _ if shown.is_over => Vec::new(),
        Aim::Cell => vec![
            ("arrows", "aim [ ]"),
            ("Enter", "put your stone"),
            ("space", "as Enter"),
        ],
        Aim::Column => vec![
            ("← →", "aim [ ]"),
            ("Enter", "drop your stone"),
            ("↓ space", "as Enter"),
        ],
        Aim::Piece => vec![
            ("← →", "aim"),
            ("↑", "rotate"),
            ("Enter", "drop the piece"),
            ("↓ space", "as Enter"),
        ],
    };
    if !shown.is_over {
        all.push(("u", "take your move back"));
        all.extend(advice.as_deref().map(|advice| ("a", advice)));
    }
    all.extend([
        ("1", "new game, you first"),
        ("2", "new game, you second"),
        ("?", "rules and keys"),
        ("q", "leave"),
    ]);
    let line = |(key, does)| Line::from(format!("{key:<8}{does}"));
    all.into_iter().map(line).collect()
}

fn draw_board(
    frame: &mut Frame<'_>,
    area: Rect,
    board: &Board,
    shown: &Shown,
    aimed: Option<&Choice>,
) {
    let picture = &board.picture;
    let [numbers, area] =
        Layout::horizontal([Constraint::Length(NUMBER), Constraint::Min(0)]).areas(area);
    let mut block = Block::bordered().title(&*board.name);
    let inside = block.inner(area);
    let columns = picture.columns();
    let wide = (usize::from(inside.width).saturating_sub(1) / 2).min(columns);
    let high = usize::from(inside.height).min(picture.rows());
    block = block.title_bottom(match (wide, high) == (columns, picture.rows()) {
        true => axis(columns),
        false => "the terminal is too small".into(),
    });
    frame.render_widget(block, area);
    let is_advised = |index| aimed.is_some() && shown.advised.contains(&index);
    let is_aimed = |index| aimed.is_some_and(|choice| choice.cells.contains(&index));
    // What is filled from its bottom is cut off at its top.
    let cut = if picture.bottom_up {
        picture.rows() - high
    } else {
        0
    };
    for (row, (line, cells)) in inside.rows().zip(picture.lines().enumerate().skip(cut)) {
        let number = Line::from(picture.row_of_line(line).to_string());
        let beside = Rect {
            y: row.y,
            height: 1,
            ..numbers
        };
        frame.render_widget(number.right_aligned(), beside);
        let mut spans = Vec::new();
        for column in 0..=columns {
            let left = column.checked_sub(1).map(|left| line * columns + left);
            let right = cells
                .get(column)
                .map(|cell| (line * columns + column, cell));
            let ends = |is: &dyn Fn(usize) -> bool| {
                let right = right.map(|(index, _)| index);
                (left.is_some_and(is), right.is_some_and(is))
            };
            let gap = match (ends(&is_aimed), ends(&is_advised)) {
                ((false, true), _) => "[",
                ((true, false), _) => "]",
                ((true, true), _) => " ",
                (_, (false, true)) => "<",
                (_, (true, false)) => ">",
                _ => " ",
            };
            spans.push(Span::styled(gap, Modifier::BOLD));
            spans.extend(right.map(|(index, cell)| {
                let aims = is_aimed(index).then_some((shown.sign, shown.colour));
                text(cell, aims)
            }));
        }
        frame.render_widget(Line::from(spans), row);
    }
}

/// The numbers of the columns in the border below them; one that would touch another is left out.
fn axis(columns: usize) -> String {
    let mut axis = String::new();
    for column in 0..columns {
        let number = column.to_string();
        let at = 2 * column + 2 - number.len();
        let line = at.checked_sub(axis.chars().count());
        if let Some(line @ 1..) = line {
            axis += &format!("{}{number}", "─".repeat(line));
        }
    }
    axis
}

/// A cell; `aims`: character and colour of what is aimed at it, in lower case.
fn text(cell: &Cell, aims: Option<(char, Option<Colour>)>) -> Span<'static> {
    let (sign, shade) = match (aims, cell.colour) {
        (Some((sign, Some(colour))), _) => (sign.to_ascii_lowercase(), colour),
        (_, Colour::Empty) => ('·', Colour::Empty),
        _ => (cell.sign, cell.colour),
    };
    let style = Style::new().fg(colour(shade));
    let style = match cell.marked {
        true => style.add_modifier(Modifier::REVERSED),
        false => style,
    };
    Span::styled(sign.to_string(), style)
}
