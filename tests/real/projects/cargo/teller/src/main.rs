//! Tells a number.
include!(concat!(env!("OUT_DIR"), "/greeting.rs"));

fn main() {
    let number = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(0);
    println!("{GREETING} {}", digits::grouped(number * 1000));
}

#[test]
fn a_unix_socket_pair_works() {
    use std::{io::{Read, Write}, os::unix::net::UnixStream};
    let (mut one, mut other) = UnixStream::pair().unwrap();
    one.write_all(b"x").unwrap();
    drop(one);
    let mut read = String::new();
    other.read_to_string(&mut read).unwrap();
    assert_eq!(read, "x");
}
