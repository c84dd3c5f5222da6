//! That ranking from lists is what FTS5 itself would have ranked.

use std::sync::atomic::AtomicBool;

use proptest::prelude::*;
use rusqlite::Connection;

use super::*;
use crate::traits::LexicalText;

const TABLE: &str = "fts_kb_test";

const WORDS: [&str; 12] = [
    "le",
    "de",
    "delai",
    "remboursement",
    "e1042",
    "e",
    "1042",
    "carte",
    "client",
    "plan",
    "\u{E000}rembours",
    "facture",
];

/// What happens to a table, one transaction after the other.
#[derive(Debug, Clone)]
enum Step {
    Write(Vec<(i64, [Vec<usize>; 3])>),
    Delete(Vec<i64>),
}

fn words() -> impl Strategy<Value = Vec<usize>> {
    // Small numbers are much more frequent, as some words are.
    let word = prop_oneof![4 => 0..2_usize, 2 => 2..5_usize, 1 => 0..WORDS.len()];
    prop_oneof![
        5 => prop::collection::vec(word.clone(), 0..12),
        1 => prop::collection::vec(word, 600..900),
    ]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let rows = prop::collection::vec((1..400_i64, [words(), words(), words()]), 1..60);
    let step = prop_oneof![
        3 => rows.prop_map(Step::Write),
        1 => prop::collection::vec(1..400_i64, 1..40).prop_map(Step::Delete),
    ];
    prop::collection::vec(step, 1..14)
}

fn text(words: &[usize]) -> String {
    words.iter().map(|word| WORDS[*word]).collect::<Vec<_>>().join(" ")
}

fn table_after(steps: &[Step]) -> Connection {
    let mut connection = Connection::open_in_memory().unwrap();
    let transaction = connection.transaction().unwrap();
    text_tables::create(&transaction, TABLE).unwrap();
    transaction.commit().unwrap();
    take(&mut connection, steps);
    connection
}

fn take(connection: &mut Connection, steps: &[Step]) {
    for step in steps {
        let transaction = connection.transaction().unwrap();
        match step {
            Step::Write(rows) => {
                let texts: Vec<(i64, LexicalText)> = rows
                    .iter()
                    .map(|(row, [title, heading, body])| {
                        let [title, heading, body] = [title, heading, body].map(|it| text(it));
                        (*row, LexicalText { title, heading, body })
                    })
                    .collect();
                let texts = texts.iter().map(|(row, text)| (*row, text));
                text_tables::insert(&transaction, TABLE, texts).unwrap();
            }
            Step::Delete(rows) => text_tables::delete(&transaction, TABLE, rows).unwrap(),
        }
        transaction.commit().unwrap();
    }
}

fn lengths(connection: &mut Connection) -> Lengths {
    let transaction = connection.transaction().unwrap();
    Lengths::read(&transaction, TABLE, &AtomicBool::new(false)).unwrap().unwrap()
}

fn query_of(terms: &[Vec<usize>]) -> LexicalQuery {
    let term = |words: &Vec<usize>| LexicalTerm {
        words: words.iter().map(|word| WORDS[*word].to_owned()).collect(),
        is_prefix: false,
    };
    LexicalQuery { terms: terms.iter().map(term).collect() }
}

/// Both rankings and both statistics of a query.
fn both(
    connection: &mut Connection,
    query: &LexicalQuery,
    weights: LexicalWeights,
    asked: u32,
    lengths: Option<&Lengths>,
) -> [(Vec<Scored>, WordStatistics); 2] {
    let transaction = connection.transaction().unwrap();
    let lists = Lists::read(&transaction, TABLE, query, weights, lengths).unwrap().unwrap();
    let expression = expression(query).unwrap();
    let fts5 = best_of_fts5(&transaction, TABLE, &expression, weights, asked).unwrap();
    let counted = statistics(&transaction, TABLE, query).unwrap();
    [(lists.best(asked).unwrap(), lists.statistics()), (fts5, counted)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn lists_rank_as_fts5_does_to_the_last_digit(
        steps in steps(),
        terms in prop::collection::vec(prop::collection::vec(0..WORDS.len(), 1..4), 1..8),
        weights in prop_oneof![Just([1.0, 1.0, 1.0]), Just([9.0, 0.0, 2.0])],
        asked in prop_oneof![1..20_u32, Just(1_000)],
        read_after in 0..14_usize,
    ) {
        let [title, heading, body] = weights;
        let weights = LexicalWeights { title, heading, body };
        // Lengths that were read some time ago: rows came, went and came again with other words.
        let (before, later) = steps.split_at(read_after.min(steps.len()));
        let mut connection = table_after(before);
        let known = lengths(&mut connection);
        take(&mut connection, later);
        for known in [None, Some(&known)] {
            let [lists, fts5] = both(&mut connection, &query_of(&terms), weights, asked, known);
            prop_assert_eq!(lists, fts5);
        }
    }
}

#[test]
fn a_list_that_goes_over_many_pages_is_read_to_its_end() {
    // Two merged segments and a small one; the rarest word in a few rows of each.
    let rows = |from: i64, to: i64| {
        let row = |row: i64| {
            let length = usize::try_from(row % 90).unwrap();
            let rare = if row % 1_000 == 7 { vec![3, 4] } else { vec![] };
            (row, [vec![0], rare, (0..length).map(|at| at % 3).collect()])
        };
        Step::Write((from..to).map(row).collect())
    };
    let mut steps: Vec<Step> = (0..16).map(|at| rows(at * 400 + 1, at * 400 + 401)).collect();
    steps.push(Step::Delete((1..6_400).step_by(13).collect()));
    steps.push(rows(6_401, 6_500));
    let mut connection = table_after(&steps);
    let weights = LexicalWeights { title: 1.0, heading: 1.0, body: 1.0 };
    for terms in [vec![vec![0]], vec![vec![2], vec![3]], vec![vec![0, 1], vec![3, 4], vec![1]]] {
        let known = lengths(&mut connection);
        let [lists, fts5] = both(&mut connection, &query_of(&terms), weights, 300, Some(&known));
        assert_eq!(lists, fts5, "{terms:?}");
        assert!(lists.1.chunks_with[0] > 5_000);
    }
}

#[test]
fn words_that_the_tokenizer_would_change_are_left_to_it() {
    let mut connection = table_after(&[Step::Write(vec![(1, [vec![0], vec![], vec![2]])])]);
    let transaction = connection.transaction().unwrap();
    let weights = LexicalWeights { title: 1.0, heading: 1.0, body: 1.0 };
    for (word, is_prefix) in [("Délai", false), ("", false), ("a b", false), ("delai", true)] {
        let term = LexicalTerm { words: vec![word.to_owned()], is_prefix };
        let query = LexicalQuery { terms: vec![term] };
        assert!(
            Lists::read(&transaction, TABLE, &query, weights, None).unwrap().is_none(),
            "{word}"
        );
    }
    let strange = LexicalWeights { title: f64::NAN, ..weights };
    assert!(
        Lists::read(&transaction, TABLE, &query_of(&[vec![0]]), strange, None).unwrap().is_none()
    );
}
