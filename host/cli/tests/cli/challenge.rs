//! `challenge` in the terminal: games of a person, and their statistics.

use std::cmp::Ordering::{Greater, Less};
use std::io::Write as _;

use super::pty::Terminal;
use super::*;

/// A backend that drops all its stones into column 6.
pub const COLUMN_6: &str = "--game connect4 --statistics {}/games --backend 'exec:sh {}/six'";
/// A backend that never answers.
const SILENT: &str = "--game connect4 --statistics {}/games --backend 'exec:sleep 1000'";

pub fn place() -> Place {
    let place = Place::new();
    let six = "while read -r position; do echo '{\"column\":6,\"value\":0}'; done";
    place.put("six", six);
    place
}

fn challenge(place: &Place, line: &str) -> Terminal {
    Terminal::start((24, 80), &place.words(&format!("challenge {line}")), &[])
}

/// Number of stones with that sign on the board, which is at the left.
fn stones(lines: &[String], sign: char) -> usize {
    let board = lines.iter().skip_while(|line| !line.contains('┌'));
    let rows = board.skip(1).take(6);
    let cells = rows.flat_map(|line| line.chars().skip(4).step_by(2).take(7));
    cells.filter(|cell| *cell == sign).count()
}

/// Plays until the person, who drops into column 3, has `own` stones and the backend as many.
fn drop_until(terminal: &mut Terminal, own: usize) {
    terminal.press("\r");
    terminal.wait_until(|lines| stones(lines, 'Y') == own && stones(lines, 'R') == own);
}

/// The signs of the marked cells on the screen.
fn marked(terminal: &Terminal) -> String {
    let screen = terminal.screen();
    let (rows, columns) = screen.size();
    let (rows, columns) = (rows.get(), columns.get());
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let cells = cells.filter_map(|(row, column)| screen.cell(row, column));
    let marked = cells.filter(|cell| cell.inverse());
    marked.map(|cell| cell.contents().to_owned()).collect()
}

#[test]
fn challenge_in_terminal_is_won_and_counted() {
    let place = place();
    let mut terminal = challenge(&place, COLUMN_6);
    terminal.wait_for("connect4: you are yellow, red is exec:sh ");
    for own in 1..4 {
        drop_until(&mut terminal, own);
    }
    terminal.wait_for(" 3│ · · ·[y]· · · │");
    terminal.wait_for(" 0│ · · · Y · · R │");
    terminal.wait_for("  └─0─1─2─3─4─5─6─┘");
    assert_eq!(marked(&terminal), "R");
    terminal.wait_for("take your move back");
    terminal.wait_for("drop your stone");
    terminal.press("\r");
    terminal.wait_for("You win");
    terminal.wait_for("you moved first: 1 won,");
    assert_eq!(marked(&terminal), "YYYY");
    let offers = ["take your move back", "drop your stone"];
    terminal.wait_until(|lines| {
        let offered = |line: &String| offers.iter().any(|offer| line.contains(offer));
        !lines.iter().any(offered)
    });
    terminal.press("u");
    terminal.wait_for("the game is over and counted");
    // The next game is lost.
    terminal.press("2");
    terminal.wait_for("you are red, yellow is exec:");
    for (moved, aim) in ["\x1b[D", "\x1b[D", "\x1b[D"].iter().enumerate() {
        terminal.wait_until(|lines| stones(lines, 'Y') == moved + 1);
        terminal.press(&format!("{aim}\r"));
    }
    terminal.wait_for(" wins");
    terminal.press("q");
    let (status, text) = terminal.end();
    assert_eq!(status, Some(0));
    let (_, after) = text.split_once("\x1b[?1049l").expect("the screen before");
    has(
        after,
        "you move  games  won  lost | first         1    1     0 | second        1    0     1",
    );
    let games = lines(&place.text("games"));
    let members_of = "/game connect4 | /controller windows:4 | /moves 7 | /takebacks 0 | /result";
    members(&games[0], &format!("{members_of} won | /moved_first true"));
    members(&games[1], "/result lost | /moved_first false | /advice 0");
}

#[test]
fn challenge_takes_back_and_counts_help_apart() {
    let place = place();
    let line = format!("{COLUMN_6} --advice software --record {{}}/game");
    let mut terminal = challenge(&place, &line);
    terminal.wait_for("a       advice of software");
    terminal.press("u");
    terminal.wait_for("you have not moved yet");
    drop_until(&mut terminal, 1);
    terminal.press("u");
    terminal.wait_until(|lines| stones(lines, 'Y') == 0 && stones(lines, 'R') == 0);
    terminal.press("a");
    terminal.wait_for("software advises the marked move");
    for own in 1..4 {
        drop_until(&mut terminal, own);
    }
    terminal.press("\r");
    terminal.wait_for("0 lost, 0 drawn, 1 with help");
    terminal.press("q");
    assert_eq!(terminal.end().0, Some(0));
    members(&lines(&place.text("games"))[0], "/takebacks 1 | /advice 1");
    // The record has the game without what was taken back, and a replay skips the person.
    let shown = place.ok("record show {}/game");
    has(&shown, "person: column 3 | exec:sh | game 1, move 7");
    has(&place.ok("record verify {}/game"), "7 decisions");
    let again = place.json(0, "replay {}/game --backend 'exec:sh {}/six'");
    members(&again, "/agreed 3 | /decisions 3 | /cut []");
}

/// The keys work although the backend never answers.
#[test]
fn challenge_quits_and_takes_back_while_backend_thinks() {
    let place = place();
    let mut terminal = challenge(&place, SILENT);
    terminal.wait_for("Your turn");
    terminal.press("\r");
    terminal.wait_for("exec:sleep 1000 is thinking (1 s)");
    terminal.press("u");
    terminal.wait_for("Your turn");
    terminal.press("\r");
    terminal.wait_for(" is thinking");
    terminal.press("q");
    assert_eq!(terminal.end().0, Some(0));
    // A signal ends it as any command, and gives the terminal back.
    for name in ["INT", "QUIT"] {
        let mut terminal = challenge(&place, &format!("{SILENT} --second"));
        terminal.wait_for(" is thinking");
        terminal.signal(name);
        let (status, text) = terminal.end();
        assert!(
            status == Some(130) && text.contains("\x1b[?1049l"),
            "{name}"
        );
    }
    assert_eq!(place.names(), ["six"]);
}

#[test]
fn challenge_leaves_game_in_progress_only_when_confirmed() {
    let place = place();
    let mut terminal = challenge(&place, COLUMN_6);
    terminal.wait_for("Your turn");
    drop_until(&mut terminal, 1);
    terminal.press("1");
    terminal.wait_for("1 again leaves it");
    terminal.press("q");
    terminal.wait_for("q again leaves it");
    terminal.press("?");
    terminal.wait_for("a stone falls to the lowest empty cell");
    terminal.press("qq");
    terminal.wait_for("q again leaves it");
    terminal.press("q");
    assert_eq!(terminal.end().0, Some(0));
}

#[test]
fn challenge_backend_error_ends_with_message() {
    let place = place();
    let line = "--game connect4 --statistics {}/games --backend exec:false";
    let mut terminal = challenge(&place, line);
    terminal.wait_for("Your turn");
    terminal.press("\r");
    let (status, text) = terminal.end();
    assert_eq!(status, Some(2));
    let (_, after) = text.split_once("\x1b[?1049l").expect("the screen before");
    has(after, "error: | the program ended");
    // It plays a column that does not exist.
    place.put("nine", place.text("six").replace('6', "9"));
    let mut terminal = challenge(&place, &line.replace("exec:false", "'exec:sh {}/nine'"));
    terminal.wait_for("Your turn");
    terminal.press("\r");
    let (status, text) = terminal.end();
    assert_eq!(status, Some(2));
    has(
        &text,
        "game 1, move 2: the rules forbid the decision of exec:",
    );
}

/// The person sees the result, and the error comes at the end.
#[test]
fn challenge_unwritable_result_is_shown_and_reported() {
    let place = place();
    let line = "--backend software --statistics {}/games --max-pieces 1";
    let mut terminal = challenge(&place, line);
    terminal.wait_for("Your turn");
    std::fs::create_dir(place.file("games")).expect("a folder in its place");
    terminal.press("\r");
    terminal.wait_for("A draw: 0 lines to 0");
    terminal.wait_for("the result is not");
    terminal.press("q");
    let (status, text) = terminal.end();
    assert_eq!(status, Some(2));
    let (_, after) = text.split_once("\x1b[?1049l").expect("the screen before");
    has(after, "tetris | --statistics | directory");
}

/// Every game, on terminals that are too small, without colours.
#[test]
fn challenge_shows_every_game_on_any_terminal() {
    for (size, line, shown) in [
        (
            (24, 80),
            "--second --max-pieces 1",
            "Your turn: piece 1 of 1",
        ),
        ((24, 80), "--game gomoku --second --depth 2", "arrows  aim"),
        ((24, 80), "--game gomoku", "14│ · · ·"),
        ((24, 20), "--game connect4", "Your turn"),
        (
            (24, 80),
            "--game connect4 --second --depth 2",
            "drop your stone",
        ),
        ((9, 30), "--game gomoku", "┌gomoku"),
        ((2, 5), "", "tetri"),
        ((1, 1), "", "t"),
    ] {
        let line = format!("challenge --backend engine --statistics {{}}/games {line}");
        let place = Place::new();
        let words = place.words(&line);
        let mut terminal = Terminal::start(size, &words, &[("NO_COLOR", "1")]);
        terminal.wait_for(shown);
        terminal.press("\x03");
        let (status, text) = terminal.end();
        assert_eq!(status, Some(0), "{line}");
        assert!(!text.contains("\x1b[38;5;"), "{line}");
    }
}

/// Both boards, rotating, and lines at the end.
#[test]
fn challenge_in_tetris_compares_lines() {
    let place = place();
    let line = "--backend software --statistics {}/games --seed 3 --max-pieces 2";
    let line = &format!("{line} --record {{}}/game");
    let mut terminal = challenge(&place, line);
    terminal.wait_for("Your turn: piece 1 of 2");
    terminal.wait_for("┌you: 0 lines──");
    terminal.wait_for("┌opponent: 0 lines─");
    let before = terminal.wait_until(|lines| lines.iter().any(|line| line.contains("next ")));
    let all = before.join(" ");
    let (_, next) = all.split_once("next ").expect("the next piece");
    let next = next[..1].to_lowercase();
    terminal.press("\x1b[A");
    terminal.wait_until(|lines| lines[2..23] != before[2..23]);
    terminal.press("\r");
    terminal.wait_for("Your turn: piece 2 of 2");
    terminal.wait_for(&format!("[{next}"));
    terminal.press(" ");
    terminal.wait_for("A draw: 0 lines to 0");
    terminal.press("q");
    assert_eq!(terminal.end().0, Some(0));
    let game = &lines(&place.text("games"))[0];
    members(
        game,
        "/game tetris | /result drawn | /moves 4 | /scores/0 0 | /scores/1 0",
    );
    place.ok("record verify {}/game");
    let again = place.json(0, "replay {}/game --backend engine");
    members(&again, "/agreed 2 | /decisions 2");
}

/// The buttons of the opponent's board press keys.
#[test]
fn challenge_takes_presses_of_boards_buttons() {
    let place = place();
    let mut served = place.start("serve --pty {}/board --board nexys4 --buttons");
    let mut buttons = served.input.take().expect("piped");
    served.wait_for("board");
    let line = "--backend serial:{}/board --statistics {}/games --max-pieces 1";
    let mut terminal = challenge(&place, line);
    terminal.wait_for("Your turn: piece 1 of 1");
    // The piece lies on row 0.
    let aim = |lines: &[String]| lines[22].find('[');
    let mut before = terminal.wait_until(|lines| aim(lines).is_some());
    for (name, moved) in [("left", Less), ("right", Greater)] {
        writeln!(buttons, "{name}").expect("pressed");
        let is_moved = |now| Some(now).cmp(&aim(&before)) == moved;
        before = terminal.wait_until(|lines| aim(lines).is_some_and(is_moved));
    }
    writeln!(buttons, "up").expect("pressed");
    terminal.wait_until(|lines| aim(lines).is_some() && lines[2..23] != before[2..23]);
    writeln!(buttons, "centre").expect("pressed");
    terminal.wait_for("A draw: 0 lines to 0");
    terminal.press("q");
    assert_eq!(terminal.end().0, Some(0));
    served.kill();
}

#[test]
fn challenge_wrong_use_is_refused() {
    let place = place();
    place.put("record", text("fixtures/records/lowest.jsonl"));
    place.refuses_after(
        "challenge",
        "
        --second => not a terminal | --view 8080
        --record {}/record => --record | record: the file exists; name another one
        --record {}/games --statistics {}/games => name the same file
        --statistics {}/record => --statistics | record: line 1 is not a game of | name another file
        --statistics {}/nowhere/games => there is no folder
        --controller led-tetris --view 0 => own rules | --rules common
        --backend nonsense => no backend is called
        --game gomoku --view 192.0.2.1:0 => --view 192.0.2.1:0 | 127.0.0.1
    ",
    );
    let shown = place.ok("challenge --show --statistics {}/none");
    has(&shown, "no finished games in ");
}
