//! A session on the whole terminal (`--tui`).
//!
//! A listener keeps the last decisions ([`Heard`]); a thread draws one of them thirty times a second
//! ([`view`]) and reads the keyboard. Only the session's [`Pace`] slows it down, never the drawing.

pub mod view;

use std::io::{self, Stdout};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use lockstep::{Pace, Stop};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{self, KeyCode, KeyEvent, KeyModifiers};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

use super::heard::{Goto, Heard, Listener, lock};
use crate::games::CliGame;
use crate::run::interrupt;
use view::Status;

/// Time between two frames.
const FRAME: Duration = Duration::from_millis(33);
/// Time in which a signal stops all threads.
const STOPS: Duration = Duration::from_millis(200);
/// The pauses that the keys + and - choose, in milliseconds.
const PAUSES: [u64; 9] = [0, 10, 30, 60, 125, 250, 500, 1000, 2000];

/// A session on the terminal.
pub struct Tui<G: CliGame> {
    heard: Arc<Mutex<Heard<G>>>,
    pace: Pace,
    thread: JoinHandle<io::Result<()>>,
}

impl<G: CliGame> Tui<G> {
    /// Takes over the terminal, and pauses for `pause` after each decision.
    ///
    /// # Errors
    /// When the terminal cannot be used.
    pub fn start(pause: Duration, stop: Stop) -> io::Result<Self> {
        let (heard, pace) = (Arc::default(), Pace::every(pause));
        let mut screen = Screen {
            raw: Some(Raw::enter()?),
            terminal: Terminal::new(CrosstermBackend::new(io::stdout()))?,
            heard: Arc::clone(&heard),
            pace: pace.clone(),
            pause,
            is_paused: false,
            shows_help: false,
            typed: None,
            rates: vec![(Instant::now(), 0)],
            stop,
        };
        let named = thread::Builder::new().name("tui".into());
        let thread = named.spawn(move || screen.run())?;
        Ok(Self {
            heard,
            pace,
            thread,
        })
    }

    /// The pauses of the session that is shown.
    pub fn pace(&self) -> Pace {
        self.pace.clone()
    }

    /// A listener for the session; several sessions are shown one after the other.
    pub fn listener(&self) -> Listener<G> {
        Listener(Arc::clone(&self.heard))
    }

    /// Waits until the terminal is given back: when the session has ended, at a key of the user.
    ///
    /// # Errors
    /// When the terminal could not be used.
    pub async fn finish(self) -> io::Result<()> {
        lock(&self.heard).end();
        let joined = tokio::task::spawn_blocking(|| self.thread.join()).await;
        let lost = || Err(io::Error::other("the thread that draws has died"));
        joined
            .unwrap_or_else(|_| Ok(lost()))
            .unwrap_or_else(|_| lost())
    }
}

/// The keys that are pressed, read on a thread of its own: at the end of a terminal that was closed,
/// reading never returns.
pub fn keys() -> io::Result<Receiver<io::Result<KeyEvent>>> {
    let (pressed, keys) = channel();
    let read = move || {
        loop {
            let key = event::read().map(|event| event.as_key_press_event());
            let sent = key.transpose().map_or(Ok(()), |key| pressed.send(key));
            if sent.is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("keys".into()).spawn(read)?;
    Ok(keys)
}

/// The terminal in raw mode, with a screen of its own, until this is dropped.
pub struct Raw;

impl Raw {
    pub fn enter() -> io::Result<Self> {
        enable_raw_mode()?;
        let raw = Self;
        execute!(io::stdout(), EnterAlternateScreen)?;
        Ok(raw)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        // A terminal that is gone cannot be restored.
        let _ = disable_raw_mode();
        let _ = execute!(io::stdout(), LeaveAlternateScreen, Show);
    }
}

struct Screen<G: CliGame> {
    /// `None` while the session is suspended.
    raw: Option<Raw>,
    terminal: Terminal<CrosstermBackend<Stdout>>,
    heard: Arc<Mutex<Heard<G>>>,
    pace: Pace,
    pause: Duration,
    is_paused: bool,
    shows_help: bool,
    /// Number of a decision that is being typed.
    typed: Option<String>,
    /// Numbers of decisions at earlier times, for the rate.
    rates: Vec<(Instant, u64)>,
    stop: Stop,
}

impl<G: CliGame> Screen<G> {
    fn run(&mut self) -> io::Result<()> {
        let keys = keys()?;
        while !self.stop.requested() {
            self.draw()?;
            let mut wait = FRAME;
            while let Ok(key) = keys.recv_timeout(wait) {
                wait = Duration::ZERO;
                if self.press(key?)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn draw(&mut self) -> io::Result<()> {
        let heard = lock(&self.heard);
        let shown = heard.shown();
        let mut status = Status {
            decisions: heard.decisions,
            divergences: heard.divergences,
            is_over: heard.is_over,
            error: heard.error.clone(),
            is_latest: heard.is_latest(),
            is_paused: self.is_paused,
            shows_help: self.shows_help,
            typed: self.typed.clone(),
            pause: self.pause,
            rate: 0.0,
        };
        drop(heard);
        let now = Instant::now();
        let old = |(at, _): &(Instant, u64)| now.duration_since(*at) > Duration::from_secs(2);
        self.rates.push((now, status.decisions));
        self.rates
            .drain(..self.rates.iter().take_while(|rate| old(rate)).count());
        if let Some((at, before)) = self.rates.first() {
            let seconds = now
                .duration_since(*at)
                .as_secs_f64()
                .max(FRAME.as_secs_f64());
            status.rate = (status.decisions - before) as f64 / seconds;
        }
        self.terminal
            .draw(|frame| view::draw(frame, shown.as_ref(), &status))?;
        Ok(())
    }

    /// Acts on a key; whether the terminal should be given back.
    fn press(&mut self, key: KeyEvent) -> io::Result<bool> {
        let go = |to| lock(&self.heard).go(to);
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('z') if is_control => self.suspend()?,
            _ if self.typed.is_some() && !is_control => self.type_number(key.code),
            KeyCode::Char('g') => self.typed = Some(String::new()),
            KeyCode::Char('c') if !is_control => {}
            KeyCode::Char('q' | 'c') | KeyCode::Esc if self.shows_help && !is_control => {}
            KeyCode::Char('q' | 'c') => {
                if !lock(&self.heard).is_over {
                    interrupt::request();
                }
                return Ok(true);
            }
            KeyCode::Char(' ') => {
                if self.is_paused {
                    go(Goto::Latest);
                }
                self.hold(!self.is_paused);
            }
            KeyCode::Left => {
                go(Goto::Previous);
                self.hold(true);
            }
            KeyCode::Right if go(Goto::Next) => {
                self.hold(true);
                self.pace.step();
            }
            KeyCode::Char(c @ ('d' | 'D')) => {
                go(if c == 'd' {
                    Goto::NextDivergence
                } else {
                    Goto::PreviousDivergence
                });
                self.hold(true);
            }
            KeyCode::Home => {
                go(Goto::First);
                self.hold(true);
            }
            KeyCode::End => {
                go(Goto::Latest);
            }
            KeyCode::Char(c @ ('+' | '-')) => {
                let pause = self.pause.as_millis() as u64;
                let other = match c {
                    '+' => PAUSES.iter().rev().find(|p| **p < pause),
                    _ => PAUSES.iter().find(|p| **p > pause),
                };
                self.pause = other.map_or(self.pause, |ms| Duration::from_millis(*ms));
                self.pace.set(self.pause);
            }
            KeyCode::Char('?' | 'h') => {
                self.shows_help = !self.shows_help;
                return Ok(false);
            }
            _ => {}
        }
        self.shows_help = false;
        Ok(false)
    }

    /// Changes the number that is being typed; Enter goes there, any other key does not.
    fn type_number(&mut self, key: KeyCode) {
        let mut typed = self.typed.take().unwrap_or_default();
        match key {
            KeyCode::Char(digit @ '0'..='9') => typed.push(digit),
            KeyCode::Backspace => drop(typed.pop()),
            KeyCode::Enter => {
                if let Ok(number) = typed.parse() {
                    lock(&self.heard).go(Goto::Number(number));
                    self.hold(true);
                }
                return;
            }
            _ => return,
        }
        self.typed = Some(typed);
    }

    /// Gives the terminal back and stops, as other programs do at Ctrl-Z; goes on when continued.
    fn suspend(&mut self) -> io::Result<()> {
        self.raw = None;
        rustix::process::kill_current_process_group(rustix::process::Signal::TSTP)?;
        // The signal stops all threads a moment later: the terminal must not be taken before.
        thread::sleep(STOPS);
        self.raw = Some(Raw::enter()?);
        self.terminal = Terminal::new(CrosstermBackend::new(io::stdout()))?;
        Ok(())
    }

    fn hold(&mut self, is_paused: bool) {
        self.is_paused = is_paused;
        self.pace.hold(is_paused);
    }
}
