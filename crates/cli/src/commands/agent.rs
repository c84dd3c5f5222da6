//! `ancre agent`

use ancre_app::operations::desk;
use ancre_app::wire::{AgentRef, Nothing, UpdateAgent, WireError};
use ancre_domain::{Agent, AgentDetails};

use crate::arguments::AgentCommand;
use crate::output::{Outcome, line, lines, print_json, print_table};
use crate::session::Session;

pub(crate) fn run(session: &Session, command: AgentCommand) -> Result<Outcome, WireError> {
    match command {
        AgentCommand::Create {
            name,
            kb,
            description,
            instructions,
            top_k,
            max_distance,
            mode,
            signature,
        } => {
            let kb_ids = session.knowledge_bases(&kb)?;
            let details = AgentDetails {
                name,
                description,
                instructions,
                kb_ids,
                top_k,
                max_distance,
                search_mode: mode.into(),
                signature,
            };
            let agent = desk::create_agent(&session.ancre, details, &|_| ())?;
            if session.json {
                print_json(&agent);
            } else {
                line!("made the agent “{}” ({})", agent.details.name, agent.id);
            }
        }
        AgentCommand::Update {
            agent,
            name,
            kb,
            description,
            instructions,
            top_k,
            max_distance,
            any_distance,
            mode,
            signature,
        } => {
            let Agent { id: agent_id, details: before, .. } = session.agent(&agent)?;
            let kb_ids = kb.map(|names| session.knowledge_bases(&names)).transpose()?;
            let limit = if any_distance { None } else { max_distance.or(before.max_distance) };
            let details = AgentDetails {
                name: name.unwrap_or(before.name),
                description: description.unwrap_or(before.description),
                instructions: instructions.unwrap_or(before.instructions),
                kb_ids: kb_ids.unwrap_or(before.kb_ids),
                top_k: top_k.unwrap_or(before.top_k),
                max_distance: limit,
                search_mode: mode.map_or(before.search_mode, Into::into),
                signature: signature.unwrap_or(before.signature),
            };
            let input = UpdateAgent { agent_id, details };
            let agent = desk::update_agent(&session.ancre, input, &|_| ())?;
            if session.json {
                print_json(&agent);
            } else {
                line!("changed the agent “{}”", agent.details.name);
            }
        }
        AgentCommand::List => {
            let agents = desk::list_agents(&session.ancre, Nothing {}, &|_| ())?;
            if session.json {
                print_json(&agents);
            } else {
                print_agents(&agents);
            }
        }
        AgentCommand::Show { agent } => {
            let agent = session.agent(&agent)?;
            if session.json {
                print_json(&agent);
            } else {
                print_agents(std::slice::from_ref(&agent));
                line!("");
                lines!("{}", agent.details.instructions);
            }
        }
        AgentCommand::Delete { agent } => {
            let agent_id = session.agent(&agent)?.id;
            desk::delete_agent(&session.ancre, AgentRef { agent_id }, &|_| ())?;
            if session.json {
                print_json(&Nothing {});
            } else {
                line!("deleted the agent “{agent}”; its drafts stay");
            }
        }
    }
    Ok(Outcome::Done)
}

fn print_agents(agents: &[Agent]) {
    if agents.is_empty() {
        line!("there are no agents yet; “ancre agent create NAME --kb BASE” makes one");
        return;
    }
    let heading = ["NAME", "BASES", "PASSAGES", "ID"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    rows.extend(agents.iter().map(|agent| {
        vec![
            agent.details.name.clone(),
            agent.details.kb_ids.len().to_string(),
            agent.details.top_k.to_string(),
            agent.id.to_string(),
        ]
    }));
    print_table(&rows);
}
