//! Large numbers as people read them.

/// A number with commas between groups of three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_groups() {
        assert_eq!(
            [0, 12, 999, 1_000, 28_300, 1_234_567].map(grouped),
            ["0", "12", "999", "1,000", "28,300", "1,234,567"]
        );
    }
}
