//! The worker's pipes to the application.
//!
//! Libraries print, and some ask for input; an answer must not be mixed with that. So the numbers
//! that everybody knows the standard streams by are turned elsewhere, and only the worker's loop
//! has the pipes.

#[cfg(not(unix))]
pub(super) use elsewhere::{Incoming, Outgoing, pipes};
#[cfg(unix)]
pub(super) use unix::{Incoming, Outgoing, pipes};

#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::io::{self, Read};
    use std::os::fd::{AsFd as _, AsRawFd as _};
    use std::time::Duration;

    /// How long a worker waits for the next document before it ends, and gives back what memory it
    /// holds. The application starts another when it needs one.
    const REST: Duration = Duration::from_secs(120);

    /// What comes from the application; at its end when nothing has come for long.
    pub(in crate::worker) struct Incoming {
        pipe: File,
        rest: Duration,
    }

    pub(in crate::worker) type Outgoing = File;

    /// The pipes. What is printed goes to the error output from now on, and who asks for input gets
    /// none.
    pub(in crate::worker) fn pipes() -> io::Result<(Incoming, Outgoing)> {
        let incoming = File::from(io::stdin().as_fd().try_clone_to_owned()?);
        let outgoing = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        let nothing = File::open("/dev/null")?;
        // SAFETY: only what the numbers of the standard streams stand for changes, and nobody owns
        // those: Rust's own handles of them are made for being redirected.
        #[allow(unsafe_code)]
        let is_turned = unsafe {
            libc::dup2(nothing.as_raw_fd(), libc::STDIN_FILENO) >= 0
                && libc::dup2(libc::STDERR_FILENO, libc::STDOUT_FILENO) >= 0
        };
        if is_turned {
            Ok((Incoming { pipe: incoming, rest: REST }, outgoing))
        } else {
            Err(io::Error::last_os_error())
        }
    }

    impl Read for Incoming {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            let mut watched =
                libc::pollfd { fd: self.pipe.as_raw_fd(), events: libc::POLLIN, revents: 0 };
            let milliseconds = i32::try_from(self.rest.as_millis()).unwrap_or(i32::MAX);
            // SAFETY: `watched` is one valid entry and outlives the call.
            #[allow(unsafe_code)]
            let ready = unsafe { libc::poll(&raw mut watched, 1, milliseconds) };
            match ready {
                0 => Ok(0),
                1.. => self.pipe.read(bytes),
                _ => Err(io::Error::last_os_error()),
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use std::io::Write as _;
        use std::os::fd::OwnedFd;

        use super::*;

        #[test]
        fn a_pipe_that_nothing_comes_from_is_at_its_end_after_a_while() {
            let (reader, mut writer) = io::pipe().unwrap();
            let pipe = File::from(OwnedFd::from(reader));
            let mut incoming = Incoming { pipe, rest: Duration::from_millis(30) };
            writer.write_all(b"abc").unwrap();
            let mut bytes = [0; 8];
            assert_eq!(incoming.read(&mut bytes).unwrap(), 3);
            assert_eq!(incoming.read(&mut bytes).unwrap(), 0);
            drop(writer);
            assert_eq!(incoming.read(&mut bytes).unwrap(), 0);
        }
    }
}

#[cfg(not(unix))]
mod elsewhere {
    use std::io::{self, Stdin, Stdout};

    pub(in crate::worker) type Incoming = Stdin;
    pub(in crate::worker) type Outgoing = Stdout;

    /// The pipes. Nothing of ours prints; a native library that does spoils the answer, and the
    /// document fails.
    pub(in crate::worker) fn pipes() -> io::Result<(Incoming, Outgoing)> {
        Ok((io::stdin(), io::stdout()))
    }
}
