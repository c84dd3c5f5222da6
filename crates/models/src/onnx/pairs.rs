//! A question and a passage as the tokens of one text, within the model's window.
//!
//! The question is tokenised once for all passages. What does not fit is cut off the end of the
//! passage; a question that would leave the passage less than half of the window is cut first, or
//! there would be nothing to compare it with. How both are joined, and what tells one from the other,
//! is the template of the tokenizer.

use tokenizers::{Encoding, PostProcessor, Tokenizer, TruncationDirection};

use crate::ModelError;

use super::failed;

/// What joins questions and passages.
pub(super) struct Pairs {
    tokenizer: Tokenizer,
    /// How many tokens a pair may have, its marks not included.
    room: usize,
}

/// A question that is tokenised.
pub(super) struct Question(Encoding);

impl Pairs {
    /// Reads a tokenizer; a pair has at most `window` tokens, its marks included.
    ///
    /// # Errors
    ///
    /// What is wrong with the tokenizer.
    pub(super) fn new(tokenizer: &[u8], window: usize) -> Result<Self, String> {
        let mut tokenizer = Tokenizer::from_bytes(tokenizer).map_err(|error| error.to_string())?;
        // Many carry the settings of their training, which cut and fill by other rules.
        tokenizer.with_truncation(None).map_err(|error| error.to_string())?;
        tokenizer.with_padding(None);
        let marks = tokenizer.get_post_processor().map_or(0, |it| it.added_tokens(true));
        if marks == 0 {
            return Err("it has no template for a pair".to_owned());
        }
        let room = window.saturating_sub(marks);
        if room < 2 {
            return Err(format!("a window of {window} tokens has no room beside {marks} marks"));
        }
        Ok(Self { tokenizer, room })
    }

    /// Tokenises a question.
    pub(super) fn question(&self, text: &str) -> Result<Question, ModelError> {
        let mut encoding = self.tokens(text)?;
        encoding.truncate(self.room / 2, 0, TruncationDirection::Right);
        Ok(Question(encoding))
    }

    /// Joins a question and a passage.
    pub(super) fn join(&self, question: &Question, passage: &str) -> Result<Encoding, ModelError> {
        let Question(question) = question;
        let mut passage = self.tokens(passage)?;
        let room = self.room.saturating_sub(question.len());
        passage.truncate(room, 0, TruncationDirection::Right);
        self.tokenizer.post_process(question.clone(), Some(passage), true).map_err(failed)
    }

    fn tokens(&self, text: &str) -> Result<Encoding, ModelError> {
        self.tokenizer.encode_fast(text, false).map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words and the marks `[CLS]` (0) and `[SEP]` (1); what is unknown is 2.
    const TOKENIZER: &str = r#"{
        "version": "1.0", "added_tokens": [], "normalizer": null, "decoder": null,
        "truncation": {
            "direction": "Left", "max_length": 3, "strategy": "LongestFirst", "stride": 0
        },
        "padding": {
            "strategy": {"Fixed": 40}, "direction": "Right", "pad_to_multiple_of": null,
            "pad_id": 2, "pad_type_id": 0, "pad_token": "?"
        },
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [{"Sequence": {"id": "A", "type_id": 0}}],
            "pair": [
                {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
                {"Sequence": {"id": "A", "type_id": 0}},
                {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
                {"Sequence": {"id": "B", "type_id": 1}},
                {"SpecialToken": {"id": "[SEP]", "type_id": 1}}
            ],
            "special_tokens": {
                "[CLS]": {"id": "[CLS]", "ids": [0], "tokens": ["[CLS]"]},
                "[SEP]": {"id": "[SEP]", "ids": [1], "tokens": ["[SEP]"]}
            }
        },
        "model": {
            "type": "WordLevel", "unk_token": "?",
            "vocab": {"[CLS]": 0, "[SEP]": 1, "?": 2, "a": 3, "b": 4, "c": 5, "d": 6}
        }
    }"#;

    fn joined(window: usize, question: &str, passage: &str) -> Encoding {
        let pairs = Pairs::new(TOKENIZER.as_bytes(), window).unwrap();
        pairs.join(&pairs.question(question).unwrap(), passage).unwrap()
    }

    #[test]
    fn a_pair_has_the_marks_and_types_of_its_template_and_no_padding() {
        let pair = joined(16, "a b", "c");
        assert_eq!(pair.get_ids(), [0, 3, 4, 1, 5, 1]);
        assert_eq!(pair.get_type_ids(), [0, 0, 0, 0, 1, 1]);
        assert_eq!(pair.get_attention_mask(), [1; 6]);
    }

    #[test]
    fn what_is_too_long_is_cut_off_the_passage() {
        let pair = joined(8, "a b", "c c c c c d");
        assert_eq!(pair.get_ids(), [0, 3, 4, 1, 5, 5, 5, 1]);
    }

    #[test]
    fn a_question_leaves_the_passage_half_of_the_window() {
        let pair = joined(9, &"a ".repeat(100_000), "c c c c c d");
        assert_eq!(pair.get_ids(), [0, 3, 3, 3, 1, 5, 5, 5, 1]);
    }

    #[test]
    fn nothing_is_a_pair_too() {
        assert_eq!(joined(16, "", "").get_ids(), [0, 1, 1]);
    }

    #[test]
    fn a_tokenizer_without_a_template_for_pairs_is_refused() {
        let mut tokenizer: serde_json::Value = serde_json::from_str(TOKENIZER).unwrap();
        tokenizer["post_processor"] = serde_json::Value::Null;
        let refusal = Pairs::new(tokenizer.to_string().as_bytes(), 16).err().unwrap();
        assert_eq!(refusal, "it has no template for a pair");
        assert!(Pairs::new(b"{}", 16).is_err());
        assert!(Pairs::new(TOKENIZER.as_bytes(), 4).is_err(), "marks alone fill it");
    }
}
