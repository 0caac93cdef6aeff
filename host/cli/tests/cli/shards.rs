//! Shards of every command add up to exactly what one run gives.

use super::*;

/// A command that takes `--shard`; in its arguments, `{}` is a temporary folder of the test.
struct Row {
    command: &'static str,
    /// The options that name its file, before the file's name.
    file: &'static str,
    /// Whether the merged file equals that of one run to the byte.
    same_file: bool,
    /// Other settings, and what an error names of them.
    other: (&'static str, &'static str),
}

const ROWS: [Row; 7] = [
    Row {
        command: "strength --controller lowest --board 6x6 --games 20 --threads 1",
        file: "--state",
        same_file: true,
        other: ("--seed 2", "seed is 2"),
    },
    Row {
        command: "soak --controller lowest --backend software --decisions 500",
        file: "--state",
        same_file: false,
        other: ("--decisions 501", "work is \"501 decisions\""),
    },
    Row {
        command: "soak --batch --controller lowest --backend software --decisions 500",
        file: "--state",
        same_file: false,
        other: ("--seed 2", "seed is 2"),
    },
    Row {
        command: "faults --fault landing-height-off-by-one --fault scan-one-row-more --seed 1 \
                  --controller lowest --no-benches --max-decisions 60",
        file: "--state",
        same_file: true,
        other: ("--max-decisions 61", "max_decisions is 61"),
    },
    Row {
        command: "match --game gomoku --depth 1 --games 10 --a software --b engine",
        file: "--resume --record",
        same_file: true,
        other: ("--seed 2", "seed is 2"),
    },
    Row {
        command: "play --controller lowest --backend software --games 7 --max-pieces 30",
        file: "--resume --record",
        same_file: true,
        other: ("--seed 2", "seed is 2"),
    },
    Row {
        command: "replay fixtures/records/lowest.jsonl fixtures/records/bcts.jsonl --jobs 2 \
                  --backend software --backend sim",
        file: "--state",
        same_file: true,
        other: ("--backend engine", "backends is"),
    },
];

impl Row {
    /// The command with its file in the folder.
    fn with(&self, file: &str) -> String {
        format!("{} {} {{}}/{file}", self.command, self.file)
    }

    /// Runs the three shards, the last one first.
    fn run_shards(&self, place: &Place) {
        for shard in [3, 2, 1] {
            let command = self.with(&format!("shard-{shard}"));
            place.ok(&format!("{command} --shard {shard}/3"));
        }
    }

    /// What the command prints with that file, without what depends on time and names.
    fn result(&self, place: &Place, file: &str) -> (String, Value) {
        let text = place.ok(&self.with(file)).replace(file, "FILE");
        let text = text.lines().filter(|line| !line.contains("seconds"));
        let mut document = json(&place.ok(&format!("{} --json -", self.with(file))));
        if let Some(fields) = document.as_object_mut() {
            fields.retain(|name, _| !["seconds", "speed", "record"].contains(&name.as_str()));
        }
        (text.collect::<Vec<_>>().join("\n"), document)
    }
}

#[test]
fn shards_in_any_order_add_up_to_one_run() {
    for row in &ROWS {
        let place = Place::new();
        row.run_shards(&place);
        place.ok("merge {}/shard-2 {}/shard-3 {}/shard-1 --out {}/merged");
        place.ok(&row.with("single"));
        if row.same_file {
            assert_eq!(
                place.text("merged"),
                place.text("single"),
                "{}",
                row.command
            );
        }
        let (merged, single) = (row.result(&place, "merged"), row.result(&place, "single"));
        assert_eq!(merged, single, "{}", row.command);
    }
}

#[test]
fn merge_names_missing_doubled_foreign_and_incomplete_shards() {
    for row in &ROWS {
        let place = Place::new();
        row.run_shards(&place);
        let refused = |files: &str, named: &str| {
            let files: Vec<_> = files
                .split(' ')
                .map(|file| format!("{{}}/{file}"))
                .collect();
            place.refuses(&format!(
                "merge {} --out {{}}/merged => {named}",
                files.join(" ")
            ));
        };
        refused("shard-3 shard-1", "missing: shard 2/3");
        place.put("copy", place.text("shard-2"));
        refused(
            "shard-1 shard-2 copy shard-3",
            "shard 2/3 is given twice | shard-2 and | copy",
        );
        let (other, named) = row.other;
        let option = other.split(' ').next().expect("an option");
        let foreign = match row.command.split_once(option) {
            Some((before, after)) => {
                let rest = after
                    .trim_start()
                    .split_once(' ')
                    .map_or("", |(_, rest)| rest);
                format!("{before}{other} {rest}")
            }
            None => format!("{} {other}", row.command),
        };
        place.ok(&format!("{foreign} {} {{}}/foreign --shard 2/3", row.file));
        refused(
            "shard-1 foreign shard-3",
            &format!("foreign is of another run | {named}"),
        );
        let cut = place.text("shard-2");
        let lines: Vec<_> = cut.lines().collect();
        let kept = lines.len() - if row.file == "--state" { 1 } else { 2 };
        place.put("shard-2", lines[..kept].join("\n") + "\n");
        refused(
            "shard-1 shard-2 shard-3",
            "shard-2 is not complete: shard 2/3 lacks",
        );
        // The same command makes it whole again.
        place.ok(&format!("{} --shard 2/3", row.with("shard-2")));
        assert_eq!(place.text("shard-2"), cut, "{}", row.command);
    }
}

/// The shards of a soak on two boards add up to a soak on one of them.
#[test]
fn shards_on_several_boards_are_merged() {
    let place = Place::new();
    let mut boards = [(); 2].map(|()| place.start("serve --listen 127.0.0.1:0 -q"));
    let names = boards.each_mut().map(|board| board.next_line());
    let soak = "soak --controller lowest --decisions 200";
    for (shard, board) in (1..).zip(&names) {
        let state = format!("--shard {shard}/2 --state {{}}/shard-{shard}");
        place.ok(&format!("{soak} --backend {board} {state}"));
    }
    place.ok("merge {}/shard-1 {}/shard-2 --out {}/merged");
    let whole = format!("{soak} --backend {}", names[0]);
    let document = place.json(0, &format!("{whole} --state {{}}/merged"));
    assert_eq!(document["sums"], place.json(0, &whole)["sums"]);
    assert_eq!(document["sums"]["pieces"], 200);
    place.ok(&format!(
        "{soak} --backend engine --shard 2/2 --state {{}}/other"
    ));
    place.refuses("merge {}/shard-1 {}/other --out {}/x => other is of another run | backend");
    boards.into_iter().for_each(crate::running::Running::kill);
}

#[test]
fn partial_merge_continues_with_the_rest() {
    let place = Place::new();
    let strength = &ROWS[0];
    strength.run_shards(&place);
    place.ok("merge {}/shard-1 {}/shard-3 --partial --out {}/partial");
    has(
        &place.ok(&strength.with("partial")),
        "resumed: 13 of 20 games",
    );
    place.ok(&strength.with("single"));
    assert_eq!(
        strength.result(&place, "partial"),
        strength.result(&place, "single")
    );
    let record = &ROWS[5];
    place.ok(&format!("{} --shard 1/3", record.with("record")));
    place.refuses("merge {}/record --partial --out {}/x => records | leave --partial out");
}

#[test]
fn shard_wrong_use_is_refused() {
    let place = Place::new();
    place.refuses(
        "
        strength --shard 1/2 => --state
        strength --games 3 --shard 1/4 --state {}/s => 3 of game | use at most 3 shards
        match --game gomoku --games 4 --shard 1/3 --record {}/r => use at most 2 shards
        soak --games 2 --backend engine --shard 1/2 --state {}/s => leave --games out
        merge fixtures/records/lowest.jsonl --out {}/m => holds a whole run
        merge README.md --out {}/m => README.md
        merge nowhere --out {}/m => nowhere
        ",
    );
    assert_eq!(place.names(), [""; 0]);
}
