//! The means of a measurement.
//!
//! Questions are of three kinds: those that the base answers, those that must be refused, and those
//! whose documents are gone. Only the first two have means.

use ancre_domain::BenchFigures;

use super::Asked;

/// What kind of question it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Answerable,
    MustRefuse,
    Gone,
}

pub(super) fn figures(asked: &[Asked]) -> BenchFigures {
    let of = |kind: Kind| asked.iter().filter(move |asked| kind_of(asked) == kind);
    let refused = |kind| {
        let judged = of(kind).filter_map(|asked| asked.result.refused);
        mean(judged.map(|refused| f64::from(u8::from(refused))))
    };
    let answerable = |figure: fn(&Asked) -> f64| mean(of(Kind::Answerable).map(figure));
    BenchFigures {
        recall_at_k: answerable(|asked| asked.recall).unwrap_or_default(),
        ndcg_at_10: answerable(|asked| asked.ndcg).unwrap_or_default(),
        mrr: answerable(|asked| asked.reciprocal_rank).unwrap_or_default(),
        refused_rightly: refused(Kind::MustRefuse),
        refused_wrongly: refused(Kind::Answerable),
        questions: u32::try_from(asked.len()).unwrap_or(u32::MAX),
        gone: u32::try_from(of(Kind::Gone).count()).unwrap_or(u32::MAX),
    }
}

fn kind_of(asked: &Asked) -> Kind {
    match asked.result.expected.is_empty() {
        true => Kind::MustRefuse,
        false if asked.result.is_gone() => Kind::Gone,
        false => Kind::Answerable,
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}
