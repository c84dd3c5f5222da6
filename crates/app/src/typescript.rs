//! The interface's twins of the wire types and of the operations table.
//!
//! Two files are made here, committed, and compared by a test; `ANCRE_UPDATE=1` lets the test
//! write them instead. Nothing of this runs in the product.

use std::fmt::Write as _;

use ts_rs::{Config, TS, TypeVisitor};

use crate::operations::OPERATIONS;
use crate::wire;

const NOTICE: &str = "// Generated from the wire types and the operations table of `crates/app` by its test\n\
     // `typescript_is_current`; `make fix` writes it again. Do not edit.\n\n";

/// `ui/src/backend/wire.ts`: every type that crosses.
pub fn wire_types() -> String {
    let mut declarations = Declarations::default();
    declarations.add::<wire::WireError>();
    declarations.add::<wire::Event>();
    for operation in OPERATIONS {
        operation.visit(&mut declarations);
    }
    declarations.all.sort();
    let mut file = NOTICE.to_owned();
    for (_, declaration) in declarations.all {
        file.push_str(&declaration);
        file.push('\n');
    }
    file
}

/// `ui/src/backend/operations.ts`: one function per operation.
pub fn operations() -> String {
    let mut file = NOTICE.to_owned();
    let mut names: Vec<String> = Vec::new();
    let mut body = String::new();
    let mut group = "";
    for operation in OPERATIONS {
        if operation.group != group {
            if !group.is_empty() {
                body.push_str("    },\n");
            }
            group = operation.group;
            let _ = writeln!(body, "    {group}: {{");
        }
        let types = operation.typescript();
        for name in [&types.input, &types.output, &types.progress] {
            names.extend(identifiers(name));
        }
        let function = camel_case(operation.name);
        let input = if types.input == "Nothing" {
            String::new()
        } else {
            format!("input: {}", types.input)
        };
        let argument = if types.input == "Nothing" { "{}" } else { "input" };
        let (parameters, arguments) = if types.progress == "Never" {
            (input, argument.to_owned())
        } else {
            let comma = if input.is_empty() { "" } else { ", " };
            (
                format!("{input}{comma}onProgress?: (progress: {}) => void", types.progress),
                format!("{argument}, onProgress"),
            )
        };
        let _ = writeln!(
            body,
            "      /** {} */\n      {function}: ({parameters}) =>\n        call<{}>('{}', '{}', {arguments}),",
            operation.summary, types.output, operation.group, operation.name
        );
    }
    body.push_str("    },\n");
    names.sort();
    names.dedup();
    names.retain(|name| !["Array", "Never", "null", "number"].contains(&name.as_str()));
    let _ = writeln!(
        file,
        "import type {{\n  {},\n}} from './wire';\n\n\
         /** How an operation reaches the host; a refusal is thrown as a `WireError`. */\n\
         export type Call = <Output>(\n  group: string,\n  name: string,\n  input: unknown,\n  \
         onProgress?: (progress: never) => void,\n) => Promise<Output>;\n\n\
         /** Every operation as a function, over one way of calling. */\n\
         export function operationsOver(call: Call) {{\n  return {{\n{body}  }};\n}}\n\n\
         /** Everything that the interface can ask. */\n\
         export type Operations = ReturnType<typeof operationsOver>;",
        names.join(",\n  ")
    );
    file
}

/// Counts and sizes cross as JSON numbers.
pub(crate) fn config() -> Config {
    Config::new().with_large_int("number")
}

/// The declarations met so far, by name.
#[derive(Default)]
pub(crate) struct Declarations {
    all: Vec<(String, String)>,
}

impl Declarations {
    /// Adds a type and every type inside it.
    pub(crate) fn add<T: TS + 'static + ?Sized>(&mut self) {
        let config = config();
        if T::output_path().is_some() {
            let ident = T::ident(&config);
            if self.all.iter().any(|(name, _)| *name == ident) {
                // `Page<Document>` is declared once as `Page<T>`, but each argument counts.
                T::visit_generics(self);
                return;
            }
            let docs = T::docs().unwrap_or_default();
            self.all.push((ident, format!("{docs}export {}\n", T::decl(&config))));
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        self.add::<T>();
    }
}

fn identifiers(name: &str) -> impl Iterator<Item = String> {
    name.split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
}

fn camel_case(name: &str) -> String {
    let mut result = String::new();
    for (index, word) in name.split('_').enumerate() {
        let mut letters = word.chars();
        match letters.next() {
            Some(first) if index > 0 => {
                result.extend(first.to_uppercase());
                result.push_str(letters.as_str());
            }
            _ => result.push_str(word),
        }
    }
    result
}
