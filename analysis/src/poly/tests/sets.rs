//! Sets, maps, expressions and matrices.

use crate::poly::*;

fn set(ctx: &Ctx, text: &str) -> Set {
    Set::parse(ctx, text).expect("a set")
}

fn map(ctx: &Ctx, text: &str) -> Map {
    Map::parse(ctx, text).expect("a map")
}

#[test]
fn text_round_trips() -> Result<()> {
    let ctx = Ctx::new();
    for text in [
        "[n] -> { S[i, j] : 0 <= j <= i < n }",
        "{ [i] : exists (e0: 3e0 = i) }",
        "[m, n] -> { S[i] : (i >= n and i < m) or i = 0 }",
    ] {
        let first = set(&ctx, text);
        let again = set(&ctx, &first.to_string());
        assert!(first.is_equal(&again)?, "{text}");
        assert_eq!(first.to_string(), again.to_string());
    }
    Ok(())
}

#[test]
fn gist_drops_what_the_context_says() -> Result<()> {
    let ctx = Ctx::new();
    let all = set(&ctx, "{ [i] : 1 <= i <= 10 }");
    let context = set(&ctx, "{ [i] : i <= 5 }");
    let gist = all.gist(&context)?;
    assert!(gist.plain_is_equal(&set(&ctx, "{ [i] : i >= 1 }"))?);
    assert!(
        gist.intersect(&context)?
            .is_equal(&all.intersect(&context)?)?
    );
    Ok(())
}

#[test]
fn set_algebra() -> Result<()> {
    let ctx = Ctx::new();
    let a = set(&ctx, "[n] -> { [i] : 0 <= i < n }");
    let b = set(&ctx, "[n] -> { [i] : 5 <= i < n + 5 }");
    let both = a.intersect(&b)?;
    assert!(a.subtract(&b)?.union(&both)?.is_equal(&a)?);
    assert!(a.subtract(&b)?.is_disjoint(&b)?);
    assert!(a.intersect(&a.complement()?)?.is_empty()?);
    assert!(both.is_subset(&a)? && both.is_subset(&b)?);
    Ok(())
}

#[test]
fn names_and_dimensions() -> Result<()> {
    let ctx = Ctx::new();
    let s = set(&ctx, "[n] -> { S[i, j] : 0 <= j <= i < n }");
    assert_eq!((s.dim(DimType::Param), s.dim(DimType::Set)), (1, 2));
    assert_eq!(s.tuple_name().as_deref(), Some("S"));
    assert_eq!(s.dim_name(DimType::Set, 1).as_deref(), Some("j"));
    assert_eq!(s.find_dim_by_name(DimType::Param, "n"), Some(0));
    assert_eq!(s.find_dim_by_name(DimType::Param, "m"), None);
    let t = s
        .set_tuple_name("T")?
        .set_dim_name(DimType::Param, 0, "m")?;
    assert_eq!(t.to_string(), "[m] -> { T[i, j] : i < m and 0 <= j <= i }");
    assert_eq!(t.reset_tuple_id()?.tuple_name(), None);
    let m = map(&ctx, "{ S[i] -> T[i, 0] }");
    assert_eq!(m.tuple_name(DimType::In).as_deref(), Some("S"));
    assert_eq!(m.tuple_name(DimType::Out).as_deref(), Some("T"));
    Ok(())
}

#[test]
fn points_of_a_triangle_come_in_order() -> Result<()> {
    let ctx = Ctx::new();
    let s = set(&ctx, "[n] -> { S[i, j] : 0 <= j <= i < n and n = 3 }");
    let expected = [[0, 0], [1, 0], [1, 1], [2, 0], [2, 1], [2, 2]];
    assert_eq!(s.points(100)?, expected);
    assert_eq!(s.points(6)?.len(), 6);
    assert_eq!(s.points(5), Err(Error::Limit(5)));
    assert!(matches!(
        set(&ctx, "{ [i] : i >= 0 }").points(5),
        Err(Error::Invalid(_))
    ));
    assert!(set(&ctx, "{ [i] : 1 = 0 }").points(5)?.is_empty());
    Ok(())
}

#[test]
fn extrema_of_a_triangle() -> Result<()> {
    let ctx = Ctx::new();
    let s = set(&ctx, "[n] -> { S[i, j] : 0 <= j <= i < n }");
    let top = s.dim_max(0)?;
    assert!(top.is_equal(&PwAff::parse(&ctx, "[n] -> { [(-1 + n)] : n > 0 }")?)?);
    let four = s.fix_si(DimType::Param, 0, 4)?;
    let sum = Aff::parse(&ctx, "[n] -> { S[i, j] -> [(i + 2j)] }")?;
    assert_eq!(four.max_val(&sum)?.to_i64()?, 9);
    assert_eq!(four.min_val(&sum)?.to_i64()?, 0);
    assert!(s.max_val(&sum)?.is_infty()?);
    assert_eq!(four.lexmax()?.points(2)?, [[3, 3]]);
    Ok(())
}

#[test]
fn relations_compose() -> Result<()> {
    let ctx = Ctx::new();
    let f = map(&ctx, "{ S[i] -> A[2i] }");
    let g = map(&ctx, "{ A[i] -> B[i + 1] }");
    assert!(
        f.apply_range(&g)?
            .is_equal(&map(&ctx, "{ S[i] -> B[2i + 1] }"))?
    );
    assert!(f.reverse()?.range()?.is_equal(&f.domain()?)?);
    assert!(f.is_bijective()?);
    let pairs = f.wrap()?;
    assert!(pairs.is_wrapping() && pairs.unwrap()?.is_equal(&f)?);
    let d = map(&ctx, "{ [i, j] -> [i + 1, j - 1] }").deltas()?;
    assert_eq!(d.points(2)?, [[1, -1]]);
    Ok(())
}

#[test]
fn lexicographic_order_of_pairs() -> Result<()> {
    let ctx = Ctx::new();
    let space = set(&ctx, "{ [i, j] }").space()?;
    let less = Map::lex_lt(&space)?;
    let expected = map(&ctx, "{ [i, j] -> [k, l] : k > i or (k = i and l > j) }");
    assert!(less.is_equal(&expected)?);
    assert!(
        less.union(&Map::identity(&space.map_from_set()?)?)?
            .is_equal(&Map::lex_le(&space)?)?
    );
    Ok(())
}

#[test]
fn order_between_set_dimensions() -> Result<()> {
    let ctx = Ctx::new();
    let s = set(&ctx, "{ S[i, j] }").order_lt(DimType::Set, 0, DimType::Set, 1)?;
    assert!(s.is_equal(&set(&ctx, "{ S[i, j] : i < j }"))?);
    Ok(())
}

#[test]
fn unions_list_their_parts() -> Result<()> {
    let ctx = Ctx::new();
    let u = UnionMap::parse(&ctx, "{ S[i] -> A[i]; S[i] -> B[i]; T[i] -> A[i + 1] }")?;
    let mut names: Vec<_> = u
        .maps()?
        .iter()
        .map(|m| (m.tuple_name(DimType::In), m.tuple_name(DimType::Out)))
        .collect();
    names.sort();
    let name = |n: &str| Some(n.to_owned());
    assert_eq!(
        names,
        [
            (name("S"), name("A")),
            (name("S"), name("B")),
            (name("T"), name("A"))
        ]
    );
    let space = map(&ctx, "{ T[i] -> A[i] }").space()?;
    assert_eq!(u.extract_map(&space)?.to_string(), "{ T[i] -> A[1 + i] }");
    assert_eq!(u.domain()?.sets()?.len(), 2);
    Ok(())
}

#[test]
fn matrices_have_the_documented_columns() -> Result<()> {
    let ctx = Ctx::new();
    let s = BasicSet::parse(&ctx, "[n] -> { S[i, j] : 0 <= i < n and j = 2i + 3 }")?;
    assert_eq!(s.equalities_matrix()?, [[-3, 0, -2, 1]]);
    let mut rows = s.inequalities_matrix()?;
    rows.sort();
    assert_eq!(rows, [[-1, 1, -1, 0], [0, 0, 1, 0]]);
    let again = BasicSet::from_constraint_matrices(&s.space()?, &s.equalities_matrix()?, &rows)?;
    assert!(again.is_equal(&s)?);
    let strided = BasicSet::from_constraint_matrices(&s.space()?, &[vec![0, 0, 1, 0, -2]], &[])?;
    assert!(strided.is_equal(&BasicSet::parse(&ctx, "[n] -> { S[i, j] : i mod 2 = 0 }")?)?);
    let m = BasicMap::parse(&ctx, "[n] -> { S[i] -> T[j] : j >= i + n }")?;
    assert_eq!(m.inequalities_matrix()?, [[0, -1, -1, 1]]);
    let ragged = BasicMap::from_constraint_matrices(&m.space()?, &[vec![0, 1]], &[]);
    assert!(matches!(ragged, Err(Error::Invalid(_))));
    Ok(())
}

#[test]
fn large_coefficients_are_an_error_not_a_wrong_number() -> Result<()> {
    let ctx = Ctx::new();
    let s = BasicSet::parse(&ctx, "{ [i] : i >= 18446744073709551617 }")?;
    let error = s.inequalities_matrix();
    assert_eq!(
        error,
        Err(Error::OutOfRange("-18446744073709551617".to_owned()))
    );
    assert_eq!(
        s.inequalities()?.entry(0, 0)?.to_string(),
        "-18446744073709551617"
    );
    assert_eq!(Val::from_i64(&ctx, i64::MIN)?.to_i64()?, i64::MIN);
    assert_eq!(Val::zero(&ctx)?.to_i64()?, 0);
    assert_eq!(Val::infty(&ctx)?.as_i64(), None);
    assert_eq!(Val::parse(&ctx, "1/2")?.as_i64(), None);
    Ok(())
}

#[test]
fn farkas_cone_of_an_interval() -> Result<()> {
    // c0 + c1 * i >= 0 on 0 <= i <= 10 iff it holds at both ends.
    let ctx = Ctx::new();
    let interval = BasicSet::parse(&ctx, "{ [i] : 0 <= i <= 10 }")?;
    let cone = interval.coefficients()?;
    let mut rows = cone.inequalities_matrix()?;
    rows.sort();
    assert_eq!(rows, [[0, 1, 0], [0, 1, 10]]);
    assert!(cone.equalities_matrix()?.is_empty());
    assert_eq!(cone.solutions()?.to_string(), "{ rat: [i] : 0 <= i <= 10 }");
    Ok(())
}

#[test]
fn affine_arithmetic() -> Result<()> {
    let ctx = Ctx::new();
    let space = set(&ctx, "[n] -> { S[i] }").space()?;
    let ls = LocalSpace::from_space(&space)?;
    let i = Aff::var_on_domain(&ls, DimType::Set, 0)?;
    let n = Aff::param_on_domain_space(&space, "n")?;
    let e = i.scale_si(3)?.add(&n)?.add_constant_si(-7)?;
    assert_eq!(e.coefficient(DimType::In, 0)?, 3);
    assert_eq!(e.coefficient(DimType::Param, 0)?, 1);
    assert_eq!(e.constant()?, -7);
    let half = e.scale_down_si(2)?;
    assert!(matches!(half.constant(), Err(Error::OutOfRange(v)) if v == "-7/2"));
    assert_eq!(half.denominator()?, 2);
    let rounded = Aff::parse(&ctx, "[n] -> { S[i] -> [(floor((i)/2))] }")?;
    assert!(i.scale_down_si(2)?.floor()?.plain_is_equal(&rounded)?);
    let rest = PwAff::from_aff(&i.mod_si(4)?)?;
    let three = PwAff::val_on_domain(&set(&ctx, "[n] -> { S[i] }"), &Val::from_i64(&ctx, 3)?)?;
    assert!(rest.gt_set(&three)?.is_empty()?);
    assert!(
        rest.eq_set(&three)?
            .is_equal(&set(&ctx, "[n] -> { S[i] : (i - 3) mod 4 = 0 }"))?
    );
    Ok(())
}

#[test]
fn pieces_of_a_minimum() -> Result<()> {
    let ctx = Ctx::new();
    let i = PwAff::parse(&ctx, "[n] -> { S[i] -> [(i)] }")?;
    let n = PwAff::parse(&ctx, "[n] -> { S[i] -> [(n)] }")?;
    let min = i.min(&n)?;
    assert_eq!((min.n_piece(), min.pieces()?.len()), (2, 2));
    for (domain, value) in min.pieces()? {
        let value = PwAff::from_aff(&value)?;
        assert!(domain.is_subset(&value.le_set(&i)?)?);
        assert!(domain.is_subset(&value.le_set(&n)?)?);
    }
    let best = map(&ctx, "{ S[i] -> [k] : k >= i and k >= 0 }").lexmin_pw_multi_aff()?;
    assert_eq!(best.pieces()?.len(), 2);
    Ok(())
}

#[test]
fn constraints_one_by_one() -> Result<()> {
    let ctx = Ctx::new();
    let space = set(&ctx, "{ S[i] }").space()?;
    let lower = Constraint::alloc_inequality(&LocalSpace::from_space(&space)?)?
        .set_coefficient_si(DimType::Set, 0, 1)?
        .set_constant_si(-2)?;
    let s = BasicSet::universe(&space)?.add_constraint(&lower)?;
    assert!(s.is_equal(&BasicSet::parse(&ctx, "{ S[i] : i >= 2 }")?)?);
    let listed = s.constraints()?;
    assert_eq!(listed.len(), 1);
    assert!(!listed[0].is_equality() && listed[0].is_lower_bound(DimType::Set, 0)?);
    assert_eq!(listed[0].coefficient(DimType::Set, 0)?, 1);
    assert_eq!(listed[0].constant()?, -2);
    Ok(())
}

#[test]
fn kernel_and_rank_of_a_matrix() -> Result<()> {
    let ctx = Ctx::new();
    let mat = Mat::from_rows(&ctx, &[vec![1, 1, 0], vec![2, 2, 0]], 3)?;
    assert_eq!((mat.n_rows(), mat.n_columns(), mat.rank()?), (2, 3, 1));
    let kernel = mat.right_kernel()?.to_rows()?;
    assert_eq!((kernel.len(), kernel[0].len()), (3, 2));
    assert!(kernel[0].iter().zip(&kernel[1]).all(|(a, b)| a + b == 0));
    assert_eq!(format!("{mat:?}").matches("Ok(").count(), 6);
    Ok(())
}

#[test]
fn empty_sets_have_no_extremum_and_no_point() -> Result<()> {
    let ctx = Ctx::new();
    let none = set(&ctx, "{ S[i] : 0 <= i < 0 }");
    let i = Aff::parse(&ctx, "{ S[i] -> [(i)] }")?;
    assert!(none.max_val(&i)?.is_nan()?);
    assert!(none.sample_point()?.is_void()?);
    let one = set(&ctx, "{ S[i] : 4 <= 2i <= 5 }");
    assert_eq!(one.sample_point()?.coordinates()?, [2]);
    assert_eq!(i.eval(&one.sample_point()?)?.to_i64()?, 2);
    Ok(())
}

#[test]
fn closure_of_a_step() -> Result<()> {
    let ctx = Ctx::new();
    let (closure, exact) = map(&ctx, "{ [i] -> [i + 1] }").transitive_closure()?;
    assert!(exact);
    assert!(closure.is_equal(&map(&ctx, "{ [i] -> [j] : j > i }"))?);
    Ok(())
}

#[test]
fn bounds_take_64_bits() -> Result<()> {
    let ctx = Ctx::new();
    let big = 1_i64 << 40;
    let s = set(&ctx, "{ S[i] }").lower_bound_si(DimType::Set, 0, big)?;
    assert!(s.is_equal(&set(&ctx, "{ S[i] : i >= 1099511627776 }"))?);
    let fixed = s.fix_si(DimType::Set, 0, big)?;
    assert_eq!(fixed.points(1)?, [[big]]);
    assert_eq!(fixed.plain_val_if_fixed(DimType::Set, 0)?.to_i64()?, big);
    Ok(())
}

#[test]
fn functions_on_unions() -> Result<()> {
    let ctx = Ctx::new();
    let rows = MultiUnionPwAff::parse(
        &ctx,
        "[{ S[i, j] -> [(i)]; T[i] -> [(i)] }, { S[i, j] -> [(j)]; T[i] -> [(0)] }]",
    )?;
    assert_eq!((rows.size(), rows.union_pw_affs()?.len()), (2, 2));
    let graph = UnionMap::from_multi_union_pw_aff(&rows)?;
    assert!(graph.is_equal(&UnionMap::parse(
        &ctx,
        "{ S[i, j] -> [i, j]; T[i] -> [i, 0] }"
    )?)?);
    let again = MultiUnionPwAff::from_union_pw_affs(&rows.space()?, &rows.union_pw_affs()?)?;
    assert!(again.plain_is_equal(&rows)?);
    assert_eq!(rows.at(1)?.pw_affs()?.len(), 2);
    let before =
        UnionMap::parse(&ctx, "{ S[i, j] -> T[k] }")?.lex_lt_at_multi_union_pw_aff(&rows)?;
    let expected = "{ S[i, j] -> T[k] : i < k or (i = k and j < 0) }";
    assert!(before.is_equal(&UnionMap::parse(&ctx, expected)?)?);
    Ok(())
}

#[test]
fn spaces_from_names() -> Result<()> {
    let ctx = Ctx::new();
    let params = Space::params_named(&ctx, &["n", "m"])?;
    assert!(params.is_params());
    assert_eq!(params.tuple_name(DimType::Set), None);
    let s = params
        .add_named_tuple("S", 2)?
        .set_dim_name(DimType::Set, 0, "i")?;
    assert_eq!(s.find_dim_by_name(DimType::Set, "i"), Some(0));
    assert_eq!(s.find_dim_by_name(DimType::Param, "m"), Some(1));
    let universe = Set::universe(&s)?;
    assert!(universe.is_equal(&set(&ctx, "[n, m] -> { S[a, b] }"))?);
    Ok(())
}
