//! Stories of sheets, written as lines of cells.

use super::*;

/// Rows from lines of cells divided by `|`; a blank line is a blank row. `>` in a cell means
/// that the one before it is merged over it.
fn read(lines: &str) -> Vec<String> {
    let mut budget = CellBudget::default();
    let mut finder = TableFinder::new(&mut budget);
    for (number, line) in (0..).zip(lines.lines()) {
        let mut row = SheetRow { number, ..SheetRow::default() };
        for (column, cell) in (0..).zip(line.split('|').map(str::trim)) {
            if cell == ">" {
                let (first, _) = *row.cells.last().unwrap();
                row.spans.retain(|(it, _)| *it != first);
                row.spans.push((first, column));
            } else if !cell.is_empty() {
                row.cells.push((column, cell.to_owned()));
            }
        }
        finder.row(row).unwrap();
    }
    finder.end_region().unwrap();
    let text = |block| match block {
        Block::Paragraph(text) => text,
        Block::Row { header, cells } => {
            let pair = |(at, cell): (usize, &String)| match header.get(at) {
                _ if cell.is_empty() => String::new(),
                Some(title) => format!("{title}={cell}"),
                None => cell.clone(),
            };
            cells
                .iter()
                .enumerate()
                .map(pair)
                .filter(|it| !it.is_empty())
                .collect::<Vec<_>>()
                .join(";")
        }
        other => format!("{other:?}"),
    };
    finder.take_placed().filter_map(|placed| placed.block).map(text).collect()
}

#[test]
fn a_header_stands_below_a_title() {
    assert_eq!(
        read("Tarifs 2024\nForfait|Prix\nDuo|29\nSolo|19"),
        ["Tarifs 2024", "Forfait=Duo;Prix=29", "Forfait=Solo;Prix=19"]
    );
    assert_eq!(
        read("Tarifs 2024\n\n|Forfait|Prix\n|Duo|29"),
        ["Tarifs 2024", "Forfait=Duo;Prix=29"]
    );
}

#[test]
fn tables_with_a_gap_between_have_their_own_headers() {
    assert_eq!(read("A|B\n1|2\n\nC|D|E\n3|4|5\n\n\nfin"), ["A=1;B=2", "C=3;D=4;E=5", "fin"]);
}

#[test]
fn a_table_goes_on_behind_a_blank_row() {
    assert_eq!(read("A|B\n1|2\n\n3|4\n5|6"), ["A=1;B=2", "A=3;B=4", "A=5;B=6"]);
}

#[test]
fn rows_without_header_stand_alone() {
    assert_eq!(read("Duo|29\nSolo|19"), ["Duo;29", "Solo;19"]);
    assert_eq!(
        read("Dupont|12\nMartin|inconnu\nDurand|3"),
        ["Dupont;12", "Martin;inconnu", "Durand;3"]
    );
}

#[test]
fn names_with_their_values_are_no_table() {
    assert_eq!(read("Client :|Dupont\nVille :|Lyon"), ["Client :;Dupont", "Ville :;Lyon"]);
}

#[test]
fn a_column_may_lack_a_title() {
    assert_eq!(read("A||C\n1|2|3"), ["A=1;=2;C=3"]);
    assert_eq!(read("A||\n1|2|3"), ["A", "1;2;3"]);
}

#[test]
fn a_title_over_several_columns_stands_in_each() {
    assert_eq!(read("Forfait|Prix|>\nDuo|29|290"), ["Forfait=Duo;Prix=29;Prix=290"]);
    assert_eq!(
        read("Forfait|Prix|>\n|par mois|par an\nDuo|29|290"),
        ["Forfait=Duo;Prix › par mois=29;Prix › par an=290"]
    );
}

#[test]
fn years_and_a_blank_corner_make_a_header() {
    assert_eq!(read("|2023|2024\nCanards|170|180"), ["=Canards;2023=170;2024=180"]);
}

#[test]
fn a_line_across_a_table_is_text_and_a_repeated_header_is_left_out() {
    assert_eq!(
        read("A|B\n1|2\nPartie 2|>\nA|B\n3|4\n|5|6|7"),
        ["A=1;B=2", "Partie 2", "A=3;B=4", "B=5;6;7"]
    );
}

#[test]
fn a_title_that_is_merged_over_a_thousand_columns_titles_none() {
    let mut budget = CellBudget::default();
    let mut finder = TableFinder::new(&mut budget);
    let cells = |first: &str| vec![(0, first.to_owned()), (1, "x".to_owned())];
    for number in 0..30_000 {
        let (row, spans) = (number / 2 * 3 + number % 2, vec![(1, 999)]);
        finder.row(SheetRow { number: row, cells: cells("titre"), spans }).unwrap();
    }
    finder.end_region().unwrap();
    let titled = |placed: PlacedBlock| {
        matches!(
            placed.block,
            Some(Block::Row { header, .. }) if !header.is_empty()
        )
    };
    assert!(!finder.take_placed().any(titled));
}

#[test]
fn a_million_cells_are_the_limit() {
    let mut budget = CellBudget::default();
    let mut finder = TableFinder::new(&mut budget);
    let cells = |count| (0..count).map(|column| (column, "x".to_owned())).collect();
    let mut read =
        |number| finder.row(SheetRow { number, cells: cells(10_000), spans: Vec::new() });
    let error = (0..200).find_map(|number| read(number).err()).unwrap();
    assert!(matches!(error, ExtractError::TooLarge { .. }), "{error}");
}
