//! The files of a retrieval set: documents, questions, and which answer which.
//!
//! Documents and questions are JSON lines with `id`, `text`, `lang`, `source` and, for a
//! document, `title`; the judgements are tab-separated question, document, 1. A source in one
//! language is a group, and a group is one domain.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

/// A source in one language; what it holds is about one domain.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Group {
    pub lang: String,
    pub source: String,
}

pub struct Document {
    pub id: String,
    pub title: String,
    pub text: String,
    group: Group,
}

pub struct Query {
    pub id: String,
    pub text: String,
    group: Group,
}

pub struct RetrievalSet {
    documents: Vec<Document>,
    queries: Vec<Query>,
    answers: HashMap<String, Vec<String>>,
}

/// Sources that are not like a help centre: an encyclopaedia, and pages without questions.
const LEFT_OUT: [&str; 2] = ["xquad", "lo-distractor"];

impl RetrievalSet {
    pub fn read(corpus: &Path, queries: &Path, judgements: &[&Path]) -> Self {
        let documents = lines(corpus).map(|line| Document {
            id: field(&line, "id"),
            title: field(&line, "title"),
            text: field(&line, "text"),
            group: group(&line),
        });
        let mut answers: HashMap<String, Vec<String>> = HashMap::new();
        for file in judgements {
            let text = std::fs::read_to_string(file).expect("the judgements can be read");
            for line in text.lines() {
                let mut fields = line.split('\t');
                if let (Some(query), Some(document)) = (fields.next(), fields.next()) {
                    answers.entry(query.to_owned()).or_default().push(document.to_owned());
                }
            }
        }
        Self { documents: documents.collect(), queries: questions(queries), answers }
    }

    /// The groups that have questions, by language and name.
    pub fn groups(&self) -> Vec<Group> {
        let groups: BTreeSet<&Group> = self.queries.iter().map(|query| &query.group).collect();
        let kept = groups.into_iter().filter(|group| !LEFT_OUT.contains(&group.source.as_str()));
        kept.cloned().collect()
    }

    pub fn queries_of(&self, group: &Group) -> Vec<&Query> {
        self.queries.iter().filter(|query| query.group == *group).collect()
    }

    /// The documents that answer a question, in any language.
    pub fn answers_to(&self, query: &str) -> &[String] {
        self.answers.get(query).map_or(&[], Vec::as_slice)
    }

    pub fn has_answer_in(&self, query: &str, group: &Group) -> bool {
        let answers = self.answers_to(query);
        self.documents.iter().any(|d| d.group == *group && answers.contains(&d.id))
    }

    /// The documents of `group` that answer what is `asked`, and others up to `count`.
    pub fn documents_for(
        &self,
        group: &Group,
        asked: &BTreeMap<&Group, Vec<&Query>>,
        count: usize,
    ) -> Vec<&Document> {
        let needed: HashSet<&String> =
            asked.values().flatten().flat_map(|query| self.answers_to(&query.id)).collect();
        let all = self.documents.iter().filter(|document| document.group == *group);
        let (mut chosen, others): (Vec<_>, Vec<_>) =
            all.partition(|document| needed.contains(&document.id));
        let missing = count.saturating_sub(chosen.len());
        chosen.extend(every_nth(others, missing));
        chosen
    }
}

/// The questions of a file.
pub fn questions(file: &Path) -> Vec<Query> {
    lines(file)
        .map(|line| Query {
            id: field(&line, "id"),
            text: field(&line, "text"),
            group: group(&line),
        })
        .collect()
}

/// `count` of `all` at equal steps, or all of them.
pub fn every_nth<T>(all: Vec<T>, count: usize) -> Vec<T> {
    let length = all.len();
    let is_taken = |index: &usize| (index + 1) * count / length > index * count / length;
    all.into_iter()
        .enumerate()
        .filter(|(index, _)| count >= length || is_taken(index))
        .map(|(_, one)| one)
        .collect()
}

fn lines(file: &Path) -> impl Iterator<Item = serde_json::Value> {
    let text = std::fs::read_to_string(file).expect("the file can be read");
    let values: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    values.into_iter()
}

fn field(line: &serde_json::Value, name: &str) -> String {
    line.get(name).and_then(serde_json::Value::as_str).unwrap_or_default().to_owned()
}

fn group(line: &serde_json::Value) -> Group {
    Group { lang: field(line, "lang"), source: field(line, "source") }
}
