//! Prints `rtl/proto_pkg.sv`.

fn main() {
    let mut text = String::new();
    lockstep_protocol::svgen::write_package(&mut text).expect("a String takes all text");
    print!("{text}");
}
