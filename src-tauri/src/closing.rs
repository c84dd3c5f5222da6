//! What closing the window does, and when a program whose window is hidden ends by itself.
//!
//! Decided from values alone, so that every case is a test; `background.rs` gathers the values and
//! does what is decided. The one rule above all others: a program that cannot be found again must
//! not hide.

use std::time::{Duration, Instant};

use ancre_app::wire::WhenClosed;

/// How long a hidden program stays after its work is done: long enough to be opened by somebody
/// who saw the work end.
const GRACE: Duration = Duration::from_secs(60);

/// What becomes of a window that is asked to close.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closing {
    /// It closes, and the program ends; jobs go on at the next start.
    Quit,
    /// It stays for now and says what closing means; the next request is the answer.
    Tell,
    /// It goes out of sight and the program stays in the tray.
    Hide,
    /// It becomes small: there is no tray to find it in.
    Minimise,
}

/// What decides on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Circumstances {
    /// What the person chose.
    pub choice: WhenClosed,
    /// Whether jobs run or wait in this process, or were paused from the tray.
    pub has_work: bool,
    /// Whether the person was told that work goes on, or is being told.
    pub is_told: bool,
    /// Whether the program has a place in the tray.
    pub has_tray: bool,
    /// Whether starting the program again would show this window; see `doorbell.rs`.
    pub can_be_called: bool,
}

/// What becomes of a window that is asked to close.
pub fn closing(circumstances: Circumstances) -> Closing {
    let Circumstances { choice, has_work, is_told, has_tray, can_be_called } = circumstances;
    let stays = match choice {
        WhenClosed::KeepWorking => has_work,
        WhenClosed::StayInTray => true,
        WhenClosed::Quit => false,
    };
    if !stays || !can_be_called {
        Closing::Quit
    } else if !is_told && choice == WhenClosed::KeepWorking {
        // Who chose the tray knows of it.
        Closing::Tell
    } else if has_tray {
        Closing::Hide
    } else {
        Closing::Minimise
    }
}

/// Watches how long nothing has kept the program.
#[derive(Debug, Default)]
pub struct Vigil {
    idle_since: Option<Instant>,
}

impl Vigil {
    /// Whether the program may end. It is needed while its window can be seen, while there is
    /// work, or when it was chosen to stay.
    pub fn is_over(&mut self, now: Instant, is_needed: bool) -> bool {
        if is_needed {
            self.idle_since = None;
            return false;
        }
        let since = *self.idle_since.get_or_insert(now);
        now.saturating_duration_since(since) >= GRACE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORKING: Circumstances = Circumstances {
        choice: WhenClosed::KeepWorking,
        has_work: true,
        is_told: true,
        has_tray: true,
        can_be_called: true,
    };

    #[test]
    fn a_window_hides_while_there_is_work_and_quits_when_there_is_none() {
        assert_eq!(closing(WORKING), Closing::Hide);
        assert_eq!(closing(Circumstances { has_work: false, ..WORKING }), Closing::Quit);
    }

    #[test]
    fn the_choice_of_the_person_comes_before_the_work() {
        let quit = Circumstances { choice: WhenClosed::Quit, ..WORKING };
        assert_eq!(closing(quit), Closing::Quit);
        let stay = Circumstances { choice: WhenClosed::StayInTray, has_work: false, ..WORKING };
        assert_eq!(closing(stay), Closing::Hide);
    }

    #[test]
    fn the_first_time_the_person_is_told_before_the_window_goes() {
        let first = Circumstances { is_told: false, ..WORKING };
        assert_eq!(closing(first), Closing::Tell);
        let nothing_to_tell = Circumstances { has_work: false, ..first };
        assert_eq!(closing(nothing_to_tell), Closing::Quit);
        let chosen = Circumstances { choice: WhenClosed::StayInTray, ..first };
        assert_eq!(closing(chosen), Closing::Hide, "who chose the tray knows of it");
    }

    #[test]
    fn a_window_without_a_tray_becomes_small() {
        assert_eq!(closing(Circumstances { has_tray: false, ..WORKING }), Closing::Minimise);
    }

    #[test]
    fn a_window_that_cannot_be_called_back_never_hides() {
        for choice in [WhenClosed::KeepWorking, WhenClosed::StayInTray, WhenClosed::Quit] {
            for bits in 0..8_u8 {
                let [has_work, is_told, has_tray] = [1, 2, 4].map(|bit| bits & bit != 0);
                let can_be_called = false;
                let lonely = Circumstances { choice, has_work, is_told, has_tray, can_be_called };
                assert_eq!(closing(lonely), Closing::Quit, "{lonely:?}");
            }
        }
    }

    #[test]
    fn a_hidden_program_ends_a_while_after_its_last_work() {
        let mut vigil = Vigil::default();
        let start = Instant::now();
        assert!(!vigil.is_over(start, true));
        assert!(!vigil.is_over(start + GRACE * 2, false), "the work has only just ended");
        assert!(!vigil.is_over(start + GRACE * 3 - Duration::from_millis(1), false));
        assert!(vigil.is_over(start + GRACE * 3, false));
    }

    #[test]
    fn new_work_or_a_look_at_the_window_begins_the_wait_anew() {
        let mut vigil = Vigil::default();
        let start = Instant::now();
        assert!(!vigil.is_over(start, false));
        assert!(!vigil.is_over(start + GRACE / 2, true));
        assert!(!vigil.is_over(start + GRACE, false));
        assert!(vigil.is_over(start + GRACE * 2, false));
    }
}
