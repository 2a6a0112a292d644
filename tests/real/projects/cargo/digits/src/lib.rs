//! Numbers as text.

pub fn grouped(number: u64) -> String {
    let mut buffer = itoa::Buffer::new();
    let text = buffer.format(number);
    let mut grouped = String::new();
    for (index, digit) in text.chars().enumerate() {
        if index > 0 && (text.len() - index) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(grouped(1234567), "1,234,567");
    }

    #[test]
    fn small_numbers_are_as_they_are() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
    }
}
