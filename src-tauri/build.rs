//! Declares the commands of the plugins `rag`, `desk` and `settings`, so that the window's
//! capability can name them, and embeds what Tauri needs.

#[path = "commands.rs"]
mod commands;

use tauri_build::{AppManifest, Attributes, DefaultPermissionRule, InlinedPlugin};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=src-tauri/capabilities");
    println!("cargo:rerun-if-changed=src-tauri/commands.rs");
    println!("cargo:rerun-if-changed=ui/dist");
    let plugin = |commands| {
        InlinedPlugin::new()
            .commands(commands)
            .default_permission(DefaultPermissionRule::AllowAllCommands)
    };
    let attributes = Attributes::new()
        .capabilities_path_pattern("./src-tauri/capabilities/*.json")
        .app_manifest(AppManifest::new().commands(commands::HOST))
        .plugin("rag", plugin(commands::RAG))
        .plugin("desk", plugin(commands::DESK))
        .plugin("settings", plugin(commands::SETTINGS));
    tauri_build::try_build(attributes)?;
    Ok(())
}
