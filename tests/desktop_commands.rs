//! The desktop's commands, on Tauri's mock runtime: no display is needed.

use std::sync::{Arc, Mutex};

use ancre_app::operations::OPERATIONS;
use ancre_app::{Ancre, EmbedderLoader, Options};
use ancre_desktop::{Opened, commands, context, plugin};
use ancre_models::{Embedder, EmbedderDescription, ModelError};
use ancre_testkit::WordEmbedder;
use serde_json::{Value, json};
use tauri::ipc::{CallbackFn, InvokeBody, InvokeResponseBody};
use tauri::test::{INVOKE_KEY, MockRuntime, get_ipc_response, mock_builder};
use tauri::webview::InvokeRequest;
use tauri::{Manager as _, WebviewUrl, WebviewWindow, WebviewWindowBuilder};

/// The desktop forwards whatever embedder there is; these tests do not need a real one.
struct WordLoader;

impl EmbedderLoader for WordLoader {
    fn describe(&self) -> Result<EmbedderDescription, ModelError> {
        Ok(WordEmbedder::new(64).description().clone())
    }

    fn load(&self) -> Result<Arc<dyn Embedder>, ModelError> {
        Ok(Arc::new(WordEmbedder::new(64)))
    }
}

/// A mock window over a temporary Ancre.
struct MockWindow {
    _folder: tempfile::TempDir,
    _app: tauri::App<MockRuntime>,
    window: WebviewWindow<MockRuntime>,
    received: Arc<Mutex<Vec<Value>>>,
}

impl MockWindow {
    fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let options = Options::new(folder.path().join("data"), Arc::new(WordLoader));
        let ancre = Arc::new(Ancre::open(options).unwrap());
        let received = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&received);
        let app = mock_builder()
            .plugin(plugin("rag"))
            .plugin(plugin("desk"))
            .plugin(plugin("settings"))
            .channel_interceptor(move |_, _, _, body| {
                if let InvokeResponseBody::Json(text) = body {
                    heard.lock().unwrap().push(serde_json::from_str(text).unwrap());
                }
                true
            })
            .build(context())
            .unwrap();
        app.manage(Opened::new(ancre));
        // The capability names this window; the mock runtime opens none by itself.
        let window =
            WebviewWindowBuilder::new(&app, "main", WebviewUrl::default()).build().unwrap();
        Self { _folder: folder, _app: app, window, received }
    }

    fn invoke(&self, command: &str, input: &Value, channel: Option<&str>) -> Result<Value, Value> {
        let request = InvokeRequest {
            cmd: command.to_owned(),
            callback: CallbackFn(0),
            error: CallbackFn(1),
            url: "tauri://localhost".parse().unwrap(),
            body: InvokeBody::Json(json!({ "input": input, "onProgress": channel })),
            headers: Default::default(),
            invoke_key: INVOKE_KEY.to_owned(),
        };
        get_ipc_response(&self.window, request).map(|body| body.deserialize().unwrap())
    }
}

#[test]
fn every_operation_is_a_command() {
    let declared =
        [("rag", commands::RAG), ("desk", commands::DESK), ("settings", commands::SETTINGS)];
    for (group, commands) in declared {
        let operations: Vec<&str> =
            OPERATIONS.iter().filter(|it| it.group == group).map(|it| it.name).collect();
        assert_eq!(commands, operations, "the permissions of “{group}” follow the table");
    }
    let groups = declared.map(|(group, _)| group);
    assert!(OPERATIONS.iter().all(|it| groups.contains(&it.group)), "every group is a plugin");
}

#[test]
fn a_call_reaches_its_operation_and_its_progress_comes_through_the_channel() {
    let window = MockWindow::open();
    let base = window.invoke("plugin:rag|create_knowledge_base", &json!({ "name": "Help" }), None);
    let kb_id = base.unwrap()["id"].clone();
    let input = json!({ "kbId": kb_id, "title": "Parking", "text": "The car park closes at ten." });
    let report = window.invoke("plugin:rag|ingest", &input, Some("__CHANNEL__:7")).unwrap();
    assert_eq!(report["ready"], 1);
    let received = window.received.lock().unwrap();
    assert!(received.iter().any(|it| it["phase"] == "finished"), "{received:?}");
}

#[test]
fn a_refusal_has_a_code_and_a_sentence() {
    let window = MockWindow::open();
    let refusal = window.invoke("plugin:rag|search", &json!({ "query": 3 }), None).unwrap_err();
    assert_eq!(refusal["code"], "invalid_input");
    assert!(refusal["message"].as_str().is_some_and(|sentence| !sentence.is_empty()));
    let unknown = window.invoke("plugin:rag|no_such_thing", &json!({}), None);
    assert!(unknown.is_err(), "what is not in the table is not a command");
}
