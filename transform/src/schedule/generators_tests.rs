use super::*;

fn find(columns: usize, kept: usize, eq: &[&[i64]], ineq: &[&[i64]]) -> Generators {
    let rows = |list: &[&[i64]]| list.iter().map(|r| r.to_vec()).collect::<Vec<_>>();
    generators(columns, kept, &rows(eq), &rows(ineq), &mut LIMITS.clone()).unwrap()
}

#[test]
fn an_interval_has_two_vertices() {
    let found = find(2, 2, &[], &[&[1, 0], &[-1, 1], &[5, -1]]);
    assert_eq!(found.rays, [[1, 1], [1, 5]]);
    assert!(found.lines.is_empty());
}

#[test]
fn the_whole_space_and_a_plane_consist_of_lines() {
    let found = find(3, 3, &[], &[]);
    assert_eq!(found.lines, [[1, 0, 0], [0, 1, 0], [0, 0, 1]]);
    let plane = find(3, 3, &[&[2, 4, 6]], &[]);
    assert_eq!(
        plane.lines,
        [[1, 0, -1]]
            .map(|mut l| {
                l[0] = 3;
                l
            })
            .into_iter()
            .chain([[0, 3, -2]])
            .collect::<Vec<_>>()
    );
    assert!(plane.rays.is_empty());
}

#[test]
fn opposite_half_spaces_leave_a_plane() {
    let both = find(2, 2, &[], &[&[1, -1], &[-1, 1]]);
    assert_eq!(both.lines, [[1, 1]]);
    assert!(both.rays.is_empty());
}

#[test]
fn a_cube_has_its_vertices() {
    let mut rows = vec![];
    for d in 1..=6 {
        let (mut low, mut high) = (vec![0; 7], vec![1; 1]);
        low[d] = 1;
        high.resize(7, 0);
        high[d] = -1;
        rows.extend([low, high]);
    }
    let found = generators(7, 7, &[], &rows, &mut LIMITS.clone()).unwrap();
    assert_eq!(found.rays.len(), 64);
    assert!(found.rays.iter().all(|r| r[0] == 1));
}

#[test]
fn projections_lose_what_lies_inside() {
    // x = 2 y, 0 <= y <= 3 z, z <= h: in (h, x) only 0 <= x <= 6 h remains, and no ray twice.
    let rows: [&[i64]; 4] = [&[1, 0, 0, 0], &[0, 0, 1, 0], &[0, 0, -1, 3], &[1, 0, 0, -1]];
    let found = find(4, 2, &[&[0, 1, -2, 0]], &rows);
    assert_eq!(found.rays, [[1, 0], [1, 6]]);
    // A square's shadow: the inner vertices go.
    let square: [&[i64]; 5] = [
        &[1, 0, 0],
        &[1, 1, 1],
        &[1, -1, 1],
        &[1, 1, -1],
        &[1, -1, -1],
    ];
    assert_eq!(find(3, 2, &[], &square).rays, [[1, -1], [1, 1]]);
}

#[test]
fn rays_in_both_directions_project_to_a_line() {
    // y >= 0, -y <= x <= y: in x alone everything.
    let found = find(2, 1, &[], &[&[1, 1], &[-1, 1]]);
    assert_eq!((found.lines, found.rays), (vec![vec![1]], vec![]));
}

#[test]
fn every_limit_is_an_error() {
    let cube: Vec<Vec<i64>> = (0..24)
        .map(|i| {
            let mut row = vec![0; 13];
            row[0] = i64::from(i % 2 == 1);
            row[1 + i / 2] = if i % 2 == 0 { 1 } else { -1 };
            row
        })
        .collect();
    let run = |rows: &[Vec<i64>], mut limits| {
        let found = generators(13, 13, &[], rows, &mut limits);
        found.map(|_| ())
    };
    assert_eq!(run(&cube, LIMITS), Err(TooLarge::Rays));
    let few = Limits {
        columns: 12,
        ..LIMITS
    };
    assert_eq!(run(&cube, few), Err(TooLarge::Columns));
    let short = Limits {
        work: 1000,
        ..LIMITS
    };
    assert_eq!(run(&cube, short), Err(TooLarge::Work));
    let steep: Vec<Vec<i64>> = (1..9)
        .map(|i| {
            (0..13)
                .map(|j| i64::MAX / (3 * i + 7 * j + 1) * (1 - 2 * ((i * j) % 2)))
                .collect()
        })
        .collect();
    assert_eq!(run(&steep, LIMITS), Err(TooLarge::Magnitude));
}
