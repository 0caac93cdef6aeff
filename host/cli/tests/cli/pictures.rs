//! The pictures of the documents show what the program does now; `make pictures` makes them.

use std::process::Command;

use super::waves::Waves;
use super::*;

#[test]
fn pictures_are_fresh() {
    let place = Place::new();
    place.exits(
        1,
        "replay fixtures/records --backend software --backend sim:fault=stale-run \
         --html {}/report.html --explain {}/why",
    );
    let waves = Waves::open(place.file("why/waves.fst").as_ref());
    let save = place.text("why/waves.gtkw");
    let mut changes = String::new();
    for (_, path) in save.lines().filter_map(|line| line.split_once("} ")) {
        for (time, value) in &waves.changes[&waves.paths[path]] {
            changes += &format!("{path} {time} {value}\n");
        }
    }
    place.put("waves.txt", changes);
    let mut script = Command::new("python3");
    script.args(["tests/pictures.py", "--lockstep", PROGRAM, "--divergence"]);
    script.arg(place.file("")).current_dir(root());
    ended(0, &script.output().expect("python3 runs"));
}
