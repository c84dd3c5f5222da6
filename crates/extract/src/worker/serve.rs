//! The worker's side: read a request, do it, answer, until there is no more.

use std::cell::RefCell;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::panic;
use std::process::ExitCode;
use std::thread;

use super::confinement::{Confinement, resident_bytes};
use super::pipes::{Incoming, Outgoing, pipes};
use super::protocol::{self, Kind, Ready, Request, Resting, VERSION, write_frame};
use crate::ExtractError;
use crate::input::Input;
use crate::operation::{Reply, perform};

/// The stack of the thread that parses: parts may lie a thousand deep in each other. Only what is
/// used of it takes memory.
const STACK_BYTES: usize = 64 << 20;

/// Serves until the application closes the pipe, or asks nothing for long.
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
    let served = pipes().and_then(|(incoming, outgoing)| {
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
    mut outgoing: BufWriter<Outgoing>,
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
    outgoing: &mut BufWriter<Outgoing>,
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
