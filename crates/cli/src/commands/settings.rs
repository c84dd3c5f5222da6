//! `ancre settings`, `ancre formats` and `ancre samples`.

use ancre_app::operations::{rag, settings};
use ancre_app::wire::{
    EngineStatus, InstallSamples, Nothing, Settings, Theme, UpdateSettings, WireError,
};
use ancre_domain::Language;

use super::ingest::{clear_status, print_progress};
use crate::arguments::{SamplesArguments, SetArguments, SettingsCommand};
use crate::output::{Outcome, line, print_json, print_json_line, print_table};
use crate::session::Session;

pub(crate) fn run(session: &Session, command: &SettingsCommand) -> Result<Outcome, WireError> {
    let ancre = &session.ancre;
    let settings = match command {
        SettingsCommand::Show => settings::get_settings(ancre, Nothing {}, &|_| ())?,
        SettingsCommand::Set(SetArguments { language, theme, when_closed }) => {
            let input = UpdateSettings {
                language: language.map(Into::into),
                theme: theme.map(Into::into),
                when_closed: when_closed.map(Into::into),
                ..UpdateSettings::default()
            };
            settings::update_settings(ancre, input, &|_| ())?
        }
    };
    if session.json {
        print_json(&settings);
    } else {
        print_settings(&settings);
    }
    Ok(Outcome::Done)
}

fn print_settings(settings: &Settings) {
    let row = |name: &str, value: &str| vec![name.to_owned(), value.to_owned()];
    // Whether the folder can only be read is left out: this command opens it for reading anyway.
    let model = match &settings.engine {
        EngineStatus::Loading => "not loaded yet".to_owned(),
        EngineStatus::Ready { model } => format!("{} {}", model.id, model.version),
        EngineStatus::Failed { error } => error.message.clone(),
    };
    print_table(&[
        row("language", settings.language.map_or("system", Language::code)),
        row("theme", settings.theme.map_or("system", Theme::as_str)),
        row("when closed", settings.when_closed.as_str()),
        row("model", &model),
        row("data folder", &settings.data_folder),
        row("version", &settings.version),
    ]);
}

pub(crate) fn formats(session: &Session) -> Result<Outcome, WireError> {
    let formats = rag::list_formats(&session.ancre, Nothing {}, &|_| ())?;
    if session.json {
        print_json(&formats);
        return Ok(Outcome::Done);
    }
    line!("{}", formats.extensions.join(" "));
    let scans = if formats.can_recognise { "can" } else { "cannot" };
    line!("scanned pages {scans} be recognised");
    Ok(Outcome::Done)
}

pub(crate) fn samples(
    session: &Session,
    arguments: &SamplesArguments,
) -> Result<Outcome, WireError> {
    let input = InstallSamples { language: arguments.language.into() };
    let on_progress = |progress| print_progress(&progress, session.json);
    let installed = rag::install_samples(&session.ancre, input, &on_progress)?;
    if session.json {
        print_json_line(&installed);
    } else {
        clear_status();
        line!(
            "the samples are in place; “ancre ticket draft {}” drafts a reply",
            installed.ticket_id
        );
    }
    Ok(Outcome::Done)
}
