//! Forwards a plugin's calls to the operations table.
//!
//! One handler serves every command of a group: the table says which there are and what they
//! take. Which of them a window may call is the capability's business.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ancre_app::operations::{self, Operation};
use ancre_app::wire::WireError;
use serde_json::Value;
use tauri::ipc::{Channel, Invoke, InvokeBody, JavaScriptChannelId};
use tauri::plugin::{Builder, TauriPlugin};
use tauri::{Manager as _, Runtime};

use crate::Opened;

/// The plugin whose commands are the operations of `group`.
pub fn plugin<R: Runtime>(group: &'static str) -> TauriPlugin<R> {
    Builder::new(group).invoke_handler(move |invoke| forward(group, invoke)).build()
}

/// The request `{ input, onProgress }`; `false` when the group has no such operation.
fn forward<R: Runtime>(group: &str, invoke: Invoke<R>) -> bool {
    let Invoke { message, resolver, .. } = invoke;
    let Some(operation) = operations::find(group, message.command()) else {
        return false;
    };
    let InvokeBody::Json(body) = message.payload() else {
        resolver.reject(WireError::invalid("the request is not JSON"));
        return true;
    };
    let input = body.get("input").cloned().unwrap_or_default();
    let channel = body
        .get("onProgress")
        .and_then(Value::as_str)
        .and_then(|id| id.parse::<JavaScriptChannelId>().ok())
        .map(|id| id.channel_on(message.webview()));
    let opened = message.webview_ref().state::<Opened>().ancre();
    tauri::async_runtime::spawn_blocking(move || {
        let answer = opened.and_then(|ancre| {
            guarded(operation, || {
                operation.call(&ancre, input, &|progress| send(&channel, progress))
            })
        });
        match answer {
            Ok(output) => resolver.resolve(output),
            Err(error) => resolver.reject(error),
        }
    });
    true
}

/// A closed window hears nothing more; the job goes on without it.
fn send(channel: &Option<Channel<Value>>, progress: Value) {
    if let Some(channel) = channel {
        let _ = channel.send(progress);
    }
}

/// Turns a panic into an answer, so that the interface never waits for one that will not come.
fn guarded(
    operation: &Operation,
    call: impl FnOnce() -> Result<Value, WireError>,
) -> Result<Value, WireError> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| {
        tracing::error!(group = operation.group, name = operation.name, "an operation panicked");
        Err(WireError::fault(format!("the operation {} broke off", operation.name)))
    })
}
