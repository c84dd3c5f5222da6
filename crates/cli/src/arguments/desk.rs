//! Agents, tickets and drafts.

use clap::Subcommand;

use super::Mode;

#[derive(Debug, Subcommand)]
pub(crate) enum AgentCommand {
    /// Make an agent
    Create {
        /// Its name
        name: String,
        /// The bases it may search, by name or id, separated by commas
        #[arg(long, value_name = "NAME[,NAME…]", value_delimiter = ',')]
        kb: Vec<String>,
        /// What it is for
        #[arg(long, default_value = "")]
        description: String,
        /// How it should answer
        #[arg(long, default_value = "")]
        instructions: String,
        /// How many passages it is given
        #[arg(long, default_value_t = 6)]
        top_k: u32,
        /// How far evidence of meaning reaches
        #[arg(long, value_name = "D")]
        max_distance: Option<f64>,
        /// How its passages are found
        #[arg(long, value_enum, default_value_t = Mode::Hybrid)]
        mode: Mode,
        /// The closing line of its replies
        #[arg(long, default_value = "")]
        signature: String,
    },
    /// Change an agent; what is not said stays
    Update {
        /// Its name or id
        agent: String,
        /// Another name
        #[arg(long)]
        name: Option<String>,
        /// The bases it may search instead, by name or id, separated by commas
        #[arg(long, value_name = "NAME[,NAME…]", value_delimiter = ',')]
        kb: Option<Vec<String>>,
        /// What it is for
        #[arg(long)]
        description: Option<String>,
        /// How it should answer
        #[arg(long)]
        instructions: Option<String>,
        /// How many passages it is given
        #[arg(long, value_name = "N")]
        top_k: Option<u32>,
        /// How far evidence of meaning reaches
        #[arg(long, value_name = "D", conflicts_with = "any_distance")]
        max_distance: Option<f64>,
        /// Evidence of meaning reaches as far as it will
        #[arg(long)]
        any_distance: bool,
        /// How its passages are found
        #[arg(long, value_enum)]
        mode: Option<Mode>,
        /// The closing line of its replies
        #[arg(long)]
        signature: Option<String>,
    },
    /// List all agents
    List,
    /// Show an agent
    Show {
        /// Its name or id
        agent: String,
    },
    /// Delete an agent; its runs stay
    Delete {
        /// Its name or id
        agent: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum TicketCommand {
    /// Make a ticket from what a customer wrote
    New {
        /// Its subject
        #[arg(long, default_value = "")]
        subject: String,
        /// The customer's words; or give `-` to read them from standard input
        #[arg(
            long,
            allow_hyphen_values = true,
            required_unless_present = "stdin",
            conflicts_with = "stdin"
        )]
        body: Option<String>,
        /// `-`: read the customer's words from standard input
        #[arg(value_name = "-", value_parser = ["-"])]
        stdin: Option<String>,
        /// The agent that shall answer, by name or id
        #[arg(long)]
        agent: Option<String>,
    },
    /// List tickets, the last changed first
    List,
    /// Show a ticket and its latest draft
    Show {
        /// Its id
        id: String,
    },
    /// Show the passage behind a number of its draft, as it was
    Passage {
        /// The ticket's id
        id: String,
        /// The number in the draft
        number: u32,
    },
    /// Let an agent draft a reply
    Draft {
        /// The ticket's id
        id: String,
        /// Another agent than the ticket's, by name or id
        #[arg(long)]
        agent: Option<String>,
    },
    /// Delete a ticket with its drafts and snapshots
    Delete {
        /// Its id
        id: String,
    },
}
