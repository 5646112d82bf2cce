//! Spearman's rank correlation.

/// The correlation of the ranks of two series of the same length, equal values sharing the mean of their ranks; `None`
/// below three values or where all of one series are equal.
pub fn spearman(pairs: &[(f64, f64)]) -> Option<f64> {
    if pairs.len() < 3 {
        return None;
    }
    let left = ranks(&pairs.iter().map(|pair| pair.0).collect::<Vec<_>>());
    let right = ranks(&pairs.iter().map(|pair| pair.1).collect::<Vec<_>>());
    let mean = (pairs.len() as f64 + 1.0) / 2.0;
    let product: f64 = left
        .iter()
        .zip(&right)
        .map(|(a, b)| (a - mean) * (b - mean))
        .sum();
    let square = |ranks: &[f64]| ranks.iter().map(|rank| (rank - mean).powi(2)).sum::<f64>();
    let scale = (square(&left) * square(&right)).sqrt();
    (scale > 0.0).then_some(product / scale)
}

fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut from = 0;
    while from < order.len() {
        let equal = order[from..]
            .iter()
            .take_while(|&&at| values[at] == values[order[from]])
            .count();
        let shared = from as f64 + (equal as f64 + 1.0) / 2.0;
        for &at in &order[from..from + equal] {
            ranks[at] = shared;
        }
        from += equal;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_count_and_distances_do_not() {
        assert_eq!(
            spearman(&[(1.0, 10.0), (2.0, 1000.0), (3.0, 1001.0)]),
            Some(1.0)
        );
        assert_eq!(spearman(&[(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)]), Some(-1.0));
        assert_eq!(spearman(&[(1.0, 3.0), (2.0, 3.0), (3.0, 3.0)]), None);
        assert_eq!(spearman(&[(1.0, 1.0)]), None);
        assert_eq!(ranks(&[5.0, 1.0, 5.0]), [2.5, 1.0, 2.5]);
    }
}
