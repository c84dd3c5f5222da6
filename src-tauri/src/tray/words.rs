//! What the tray's menu says, in both languages of the interface.
//!
//! The interface's own dictionary cannot be asked while its window is hidden, so these few
//! sentences stand here. French is set as `typeset.ts` sets it: no-break spaces before `:` and
//! between thousands.

use ancre_domain::Language;

use crate::work::Work;

/// The lines of the menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// Opens the window.
    pub open: &'static str,
    /// What is being worked on.
    pub state: String,
    /// Pauses or resumes everything.
    pub toggle: &'static str,
    /// Whether there is anything to pause or resume.
    pub can_toggle: bool,
    /// Ends the program.
    pub quit: &'static str,
}

impl Words {
    /// What the menu says of `work`.
    pub fn of(language: Language, work: &Work) -> Self {
        let pauses = work.active > 0 || work.paused == 0;
        let (open, toggle, quit) = match language {
            Language::En => (
                "Open Ancre",
                if pauses { "Pause all work" } else { "Resume all work" },
                "Quit Ancre",
            ),
            Language::Fr => (
                "Ouvrir Ancre",
                if pauses {
                    "Suspendre tous les traitements"
                } else {
                    "Reprendre tous les traitements"
                },
                "Quitter Ancre",
            ),
        };
        let can_toggle = work.active > 0 || work.paused > 0;
        Self { open, state: state(language, work), toggle, can_toggle, quit }
    }
}

fn state(language: Language, work: &Work) -> String {
    let Work { active, paused, items_done, items_total } = *work;
    let number = |value| grouped(language, value);
    let jobs = if active > 0 { active } else { paused };
    let count = number(jobs);
    match language {
        Language::En => {
            let jobs = if jobs == 1 { "job" } else { "jobs" };
            let files = if items_total == 1 { "file" } else { "files" };
            match (active, paused, items_total) {
                (0, 0, _) => "No work in progress".to_owned(),
                (0, ..) => format!("{count} {jobs} paused"),
                // How many files a folder means is known only after a look.
                (.., 0) => format!("{count} {jobs} in progress"),
                _ => format!(
                    "{count} {jobs}: {} of {} {files}",
                    number(items_done),
                    number(items_total)
                ),
            }
        }
        Language::Fr => {
            let (jobs, paused_jobs) =
                if jobs < 2 { ("traitement", "suspendu") } else { ("traitements", "suspendus") };
            let files = if items_done < 2 { "fichier" } else { "fichiers" };
            match (active, paused, items_total) {
                (0, 0, _) => "Aucun traitement en cours".to_owned(),
                (0, ..) => format!("{count} {jobs} {paused_jobs}"),
                (.., 0) => format!("{count} {jobs} en cours"),
                _ => format!(
                    "{count} {jobs}\u{a0}: {} {files} sur {}",
                    number(items_done),
                    number(items_total)
                ),
            }
        }
    }
}

/// A number with its thousands apart, as the language writes it.
fn grouped(language: Language, value: u32) -> String {
    let separator = match language {
        Language::En => ',',
        Language::Fr => '\u{202f}',
    };
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() * 2);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(separator);
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(active: u32, paused: u32, items_done: u32, items_total: u32) -> Work {
        Work { active, paused, items_done, items_total }
    }

    /// What both languages say, English first.
    fn said(work: Work) -> [String; 2] {
        [Language::En, Language::Fr].map(|language| Words::of(language, &work).state)
    }

    #[test]
    fn the_menu_says_what_is_being_worked_on() {
        assert_eq!(
            said(work(3, 0, 42, 180)),
            ["3 jobs: 42 of 180 files", "3 traitements\u{a0}: 42 fichiers sur 180"]
        );
        assert_eq!(
            said(work(1, 2, 0, 1)),
            ["1 job: 0 of 1 file", "1 traitement\u{a0}: 0 fichier sur 1"]
        );
        assert_eq!(said(work(0, 0, 0, 0)), ["No work in progress", "Aucun traitement en cours"]);
    }

    #[test]
    fn a_folder_that_is_not_counted_yet_has_no_figures() {
        assert_eq!(said(work(1, 0, 0, 0)), ["1 job in progress", "1 traitement en cours"]);
        assert_eq!(said(work(2, 0, 0, 0)), ["2 jobs in progress", "2 traitements en cours"]);
    }

    #[test]
    fn large_numbers_are_written_as_each_language_does() {
        assert_eq!(
            said(work(2, 0, 1_234, 10_000)),
            [
                "2 jobs: 1,234 of 10,000 files",
                "2 traitements\u{a0}: 1\u{202f}234 fichiers sur 10\u{202f}000"
            ]
        );
        assert_eq!(grouped(Language::En, 1_234_567), "1,234,567");
        assert_eq!(grouped(Language::En, 999), "999");
    }

    #[test]
    fn work_that_goes_on_can_be_paused_and_paused_work_resumed() {
        let going = Words::of(Language::En, &work(1, 4, 0, 0));
        assert_eq!((going.toggle, going.can_toggle), ("Pause all work", true));
        let resting = Words::of(Language::Fr, &work(0, 4, 0, 0));
        assert_eq!(
            (resting.state.as_str(), resting.toggle, resting.can_toggle),
            ("4 traitements suspendus", "Reprendre tous les traitements", true)
        );
        assert_eq!(said(work(0, 1, 0, 0)), ["1 job paused", "1 traitement suspendu"]);
        let idle = Words::of(Language::Fr, &Work::default());
        assert_eq!((idle.toggle, idle.can_toggle), ("Suspendre tous les traitements", false));
    }

    #[test]
    fn both_languages_open_and_quit() {
        let words = |language| Words::of(language, &Work::default());
        let (english, french) = (words(Language::En), words(Language::Fr));
        assert_eq!((english.open, english.quit), ("Open Ancre", "Quit Ancre"));
        assert_eq!((french.open, french.quit), ("Ouvrir Ancre", "Quitter Ancre"));
    }
}
