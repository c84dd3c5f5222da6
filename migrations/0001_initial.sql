-- Everything from a dropped file to a cited draft. Times are UTC milliseconds, sizes bytes,
-- lengths characters. Ids are 32 lower-case hexadecimal digits (UUIDv7 without dashes).
-- `name_key` is the name in lower case as Unicode has it: SQLite's NOCASE knows ASCII only, and
-- "Équipe" and "équipe" are one name.

CREATE TABLE projects (
    id         TEXT NOT NULL PRIMARY KEY,
    name       TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

-- `text` and `blob` stand last so that a list that wants neither does not read through them.
CREATE TABLE sources (
    id         TEXT NOT NULL PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    kind       TEXT NOT NULL,
    uri        TEXT,
    title      TEXT NOT NULL,
    mime       TEXT NOT NULL,
    sha256     TEXT NOT NULL CHECK (length(sha256) = 64),
    byte_count INTEGER NOT NULL CHECK (byte_count >= 0),
    char_count INTEGER NOT NULL CHECK (char_count >= 0),
    outline    TEXT NOT NULL DEFAULT '[]',
    language   TEXT,
    fetched_at INTEGER,
    etag       TEXT,
    created_at INTEGER NOT NULL,
    text       TEXT NOT NULL,
    blob       BLOB -- NULL: the text is the original
) STRICT;
CREATE UNIQUE INDEX sources_by_text ON sources (project_id, sha256);

-- Each base has a table of its own, `vec_kb_<id>`, made and dropped together with its row. No
-- cascade reaches vectors: projects with bases and sources with documents cannot be deleted over
-- their heads, only after the code has cleared them.
CREATE TABLE knowledge_bases (
    id                 TEXT NOT NULL PRIMARY KEY,
    project_id         TEXT NOT NULL REFERENCES projects (id),
    name               TEXT NOT NULL,
    name_key           TEXT NOT NULL,
    description        TEXT NOT NULL,
    embedding_model_id TEXT NOT NULL,
    embedding_dim      INTEGER NOT NULL CHECK (embedding_dim BETWEEN 1 AND 8192),
    chunk_size         INTEGER NOT NULL,
    chunk_overlap      INTEGER NOT NULL,
    created_at         INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX knowledge_bases_by_name ON knowledge_bases (project_id, name_key);

-- What a document repeats of its source is what a list and a citation show.
CREATE TABLE documents (
    id            TEXT NOT NULL PRIMARY KEY,
    kb_id         TEXT NOT NULL REFERENCES knowledge_bases (id) ON DELETE CASCADE,
    source_id     TEXT NOT NULL REFERENCES sources (id),
    source_kind   TEXT NOT NULL,
    source_uri    TEXT,
    title         TEXT NOT NULL,
    mime          TEXT NOT NULL,
    sha256        TEXT NOT NULL,
    status        TEXT NOT NULL CHECK (status IN ('queued', 'indexing', 'ready', 'error')),
    char_count    INTEGER NOT NULL,
    chunk_count   INTEGER NOT NULL DEFAULT 0,
    error_code    TEXT,
    error_message TEXT,
    claimed_by    TEXT, -- the instance that is indexing it
    created_at    INTEGER NOT NULL,
    ingested_at   INTEGER,
    CHECK ((status = 'indexing') = (claimed_by IS NOT NULL)),
    CHECK ((status = 'error') = (error_code IS NOT NULL)),
    CHECK ((status = 'error') = (error_message IS NOT NULL)),
    CHECK ((status = 'ready') = (ingested_at IS NOT NULL)),
    CHECK (status = 'ready' OR chunk_count = 0)
) STRICT;
CREATE UNIQUE INDEX documents_once_per_base ON documents (kb_id, source_id);
CREATE INDEX documents_by_age ON documents (kb_id, created_at);
CREATE INDEX documents_by_status ON documents (kb_id, status, created_at);
CREATE INDEX documents_by_source ON documents (source_id);
CREATE INDEX documents_unfinished ON documents (status, created_at)
    WHERE status IN ('queued', 'indexing');

-- metadata: { start, end, page, heading, tokensOutsideWindow }
CREATE TABLE document_chunks (
    id          TEXT NOT NULL PRIMARY KEY,
    document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    kb_id       TEXT NOT NULL REFERENCES knowledge_bases (id) ON DELETE CASCADE,
    position    INTEGER NOT NULL,
    content     TEXT NOT NULL,
    token_count INTEGER NOT NULL,
    metadata    TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX document_chunks_in_order ON document_chunks (document_id, position);
CREATE INDEX document_chunks_by_base ON document_chunks (kb_id);

-- knowledge_base_ids: a JSON list of ids.
CREATE TABLE agents (
    id                 TEXT NOT NULL PRIMARY KEY,
    project_id         TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name               TEXT NOT NULL,
    name_key           TEXT NOT NULL,
    description        TEXT NOT NULL,
    instructions       TEXT NOT NULL,
    knowledge_base_ids TEXT NOT NULL,
    top_k              INTEGER NOT NULL,
    max_distance       REAL,
    signature          TEXT NOT NULL,
    created_at         INTEGER NOT NULL,
    updated_at         INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX agents_by_name ON agents (project_id, name_key);

CREATE TABLE tickets (
    id         TEXT NOT NULL PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    subject    TEXT NOT NULL,
    status     TEXT NOT NULL,
    agent_id   TEXT REFERENCES agents (id) ON DELETE SET NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX tickets_by_change ON tickets (project_id, updated_at);
CREATE INDEX tickets_by_agent ON tickets (agent_id);

-- A run and its draft name each other: that reference is checked when both are in.
CREATE TABLE messages (
    id         TEXT NOT NULL PRIMARY KEY,
    ticket_id  TEXT NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
    direction  TEXT NOT NULL,
    body       TEXT NOT NULL,
    language   TEXT,
    run_id     TEXT REFERENCES runs (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX messages_in_order ON messages (ticket_id, created_at);
CREATE INDEX messages_by_run ON messages (run_id);

-- hits and sentences are JSON lists. The agent may be gone: a run never changes.
CREATE TABLE runs (
    id               TEXT NOT NULL PRIMARY KEY,
    ticket_id        TEXT NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
    message_id       TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    reply_message_id TEXT REFERENCES messages (id) ON DELETE CASCADE
                     DEFERRABLE INITIALLY DEFERRED,
    agent_id         TEXT NOT NULL,
    agent_name       TEXT NOT NULL,
    runner           TEXT NOT NULL,
    status           TEXT NOT NULL,
    language         TEXT NOT NULL,
    query            TEXT NOT NULL,
    hits             TEXT NOT NULL,
    sentences        TEXT NOT NULL,
    text             TEXT NOT NULL,
    reason           TEXT,
    search_ms        INTEGER NOT NULL,
    generate_ms      INTEGER NOT NULL,
    created_at       INTEGER NOT NULL
) STRICT;
CREATE INDEX runs_by_ticket ON runs (ticket_id, created_at);
CREATE INDEX runs_by_message ON runs (message_id);
CREATE INDEX runs_by_reply ON runs (reply_message_id);

-- Snapshots outlive what they show: document_id, chunk_id, kb_id and source_id refer to nothing.
-- used_ranges: a JSON list of { start, end } within content_full.
CREATE TABLE ticket_sources (
    id              TEXT NOT NULL PRIMARY KEY,
    ticket_id       TEXT NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
    message_id      TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    run_id          TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position        INTEGER NOT NULL CHECK (position >= 1),
    document_id     TEXT NOT NULL,
    chunk_id        TEXT NOT NULL,
    kb_id           TEXT NOT NULL,
    kb_name         TEXT NOT NULL,
    source_id       TEXT NOT NULL,
    document_title  TEXT NOT NULL,
    source_uri      TEXT,
    source_kind     TEXT NOT NULL,
    content_preview TEXT NOT NULL,
    content_full    TEXT NOT NULL,
    chunk_position  INTEGER NOT NULL,
    chunk_start     INTEGER NOT NULL,
    chunk_end       INTEGER NOT NULL,
    page            INTEGER,
    heading         TEXT,
    distance        REAL NOT NULL,
    used_ranges     TEXT NOT NULL,
    created_at      INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX ticket_sources_by_number ON ticket_sources (message_id, position);
CREATE INDEX ticket_sources_by_ticket ON ticket_sources (ticket_id);
CREATE INDEX ticket_sources_by_run ON ticket_sources (run_id);

CREATE TABLE settings (
    key   TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
