//! The worker's side: read a request, do it, answer, until there is no more.

use std::cell::RefCell;
use std::io::{self, BufWriter, IsTerminal as _, Read, Write};
use std::panic;
use std::process::ExitCode;
use std::thread;

use super::confinement::{Confinement, resident_bytes};
use super::protocol::{self, Kind, Ready, Request, Resting, VERSION, write_frame};
use crate::ExtractError;
use crate::input::Input;
use crate::operation::{Reply, perform};

/// The stack of the thread that parses: parts may lie a thousand deep in each other. Only what is
/// used of it takes memory.
const STACK_BYTES: usize = 64 << 20;

type Incoming = Box<dyn Read + Send>;
type Outgoing = BufWriter<Box<dyn Write + Send>>;

/// Serves until the application closes the pipe.
pub(super) fn serve() -> ExitCode {
    if io::stdin().is_terminal() {
        let _ = writeln!(
            io::stderr(),
            "This is the part of Ancre that reads documents; Ancre starts it by itself."
        );
        return ExitCode::from(2);
    }
    panic::set_hook(Box::new(|panic| {
        let _ = writeln!(io::stderr(), "{panic}");
    }));
    let served = streams().and_then(|(incoming, outgoing)| {
        let confinement = Confinement::begin();
        let parsing = thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn(move || answer_all(incoming, BufWriter::new(outgoing), &confinement))?;
        parsing.join().unwrap_or_else(|_| Err(io::ErrorKind::Other.into()))
    });
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

fn answer_all(
    mut incoming: Incoming,
    mut outgoing: Outgoing,
    confinement: &Confinement,
) -> io::Result<()> {
    let ready = Ready { version: VERSION, unlimited: confinement.unlimited().to_vec() };
    write_frame(&mut outgoing, Kind::Ready, &serde_json::to_vec(&ready)?)?;
    while let Some((request, document)) = protocol::read_request(&mut incoming, |request| {
        confinement.limit(request.memory_bytes, request.cpu_seconds);
    })? {
        write_frame(&mut outgoing, Kind::Accepted, &[])?;
        answer(&request, &document, &mut outgoing, confinement)?;
        drop(document);
        let resting = Resting { resident_bytes: resident_bytes() };
        write_frame(&mut outgoing, Kind::Resting, &serde_json::to_vec(&resting)?)?;
    }
    Ok(())
}

fn answer(
    request: &Request,
    document: &[u8],
    outgoing: &mut Outgoing,
    confinement: &Confinement,
) -> io::Result<()> {
    let outgoing = RefCell::new(outgoing);
    let failure = RefCell::new(None);
    let send = |kind: Kind, content: io::Result<Vec<u8>>| {
        let sent = content.and_then(|content| write_frame(*outgoing.borrow_mut(), kind, &content));
        if let Err(error) = sent {
            failure.borrow_mut().get_or_insert(error);
        }
    };
    let input = Input {
        bytes: document,
        file_name: &request.file_name,
        password: request.password.as_deref(),
        recognise: request.recognise,
        libraries: &request.libraries,
        depth: 0,
        progress: &|progress| {
            confinement.limit_cpu(request.cpu_seconds);
            send(Kind::Progress, serde_json::to_vec(&progress).map_err(io::Error::from));
        },
    };
    let result = perform(request.operation, &input, &mut |file| {
        send(Kind::File, protocol::encode_file(file));
    });
    let (kind, content) = encode(result)?;
    send(kind, Ok(content));
    failure.into_inner().map_or(Ok(()), Err)
}

fn encode(result: Result<Reply, ExtractError>) -> io::Result<(Kind, Vec<u8>)> {
    Ok(match result {
        Ok(Reply::Parsed(parsed)) => (Kind::Parsed, serde_json::to_vec(&parsed)?),
        Ok(Reply::Files(_)) => (Kind::Unpacked, Vec::new()),
        Ok(Reply::Picture(picture)) => (Kind::Picture, picture),
        Err(error) => (Kind::Failed, serde_json::to_vec(&error)?),
    })
}

/// The pipes to the application. The numbers that libraries know them by are turned elsewhere:
/// what they print goes to the error output, what they ask for they do not get.
#[cfg(unix)]
fn streams() -> io::Result<(Incoming, Box<dyn Write + Send>)> {
    use std::fs::File;
    use std::os::fd::{AsFd as _, AsRawFd as _};

    let incoming = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let outgoing = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    let nothing = File::open("/dev/null")?;
    // SAFETY: only numbers of open files change, and those of the standard streams belong to
    // nobody: Rust's own handles of them are made for being redirected.
    #[allow(unsafe_code)]
    let is_turned = unsafe {
        libc::dup2(nothing.as_raw_fd(), libc::STDIN_FILENO) >= 0
            && libc::dup2(libc::STDERR_FILENO, libc::STDOUT_FILENO) >= 0
    };
    if is_turned {
        Ok((Box::new(incoming), Box::new(outgoing)))
    } else {
        Err(io::Error::last_os_error())
    }
}

/// The pipes to the application. Nothing of ours prints; a native library that does spoils the
/// answer, and the document fails.
#[cfg(not(unix))]
fn streams() -> io::Result<(Incoming, Box<dyn Write + Send>)> {
    Ok((Box::new(io::stdin()), Box::new(io::stdout())))
}
