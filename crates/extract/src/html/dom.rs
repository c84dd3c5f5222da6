//! Walking a tree without recursion, since a page can be nested deeper than a stack is.

use std::ops::Deref;

use scraper::ElementRef;
use scraper::node::Element;

/// A node of the tree, which `scraper` does not name.
pub(super) type Dom<'a> = <ElementRef<'a> as Deref>::Target;

/// What is done at each node of a walk.
pub(super) trait Visit<'a> {
    /// Comes to a node; says whether its children are walked too.
    fn enter(&mut self, node: Dom<'a>) -> bool;
    /// Leaves a node whose children were walked.
    fn leave(&mut self, node: Dom<'a>);
}

/// Walks `root` and everything in it, in document order.
pub(super) fn walk<'a>(root: Dom<'a>, visit: &mut impl Visit<'a>) {
    let mut node = root;
    loop {
        if visit.enter(node) {
            if let Some(child) = node.first_child() {
                node = child;
                continue;
            }
            visit.leave(node);
        }
        loop {
            if node == root {
                return;
            }
            if let Some(next) = node.next_sibling() {
                node = next;
                break;
            }
            let Some(parent) = node.parent() else { return };
            node = parent;
            visit.leave(node);
        }
    }
}

/// The element that a node is.
pub(super) fn element_of(node: Dom<'_>) -> Option<&Element> {
    node.value().as_element()
}

/// Whether a node is an element of this name.
pub(super) fn is_named(node: Dom<'_>, name: &str) -> bool {
    element_of(node).is_some_and(|element| element.name() == name)
}
