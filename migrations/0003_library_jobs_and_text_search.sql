-- Generations of an index, words beside vectors, work that survives a crash, and questions that
-- measure a base.

-- Rebuilt for a key of its own: the full-text tables name chunks by it, and VACUUM may renumber
-- rows that have none. generation: the index that a chunk is part of. windows: how many vectors it
-- has there; 0 while its document is being indexed. language: of the chunk's own words, where it
-- was recognised.
CREATE TABLE document_chunks_rebuilt (
    key         INTEGER PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    kb_id       TEXT NOT NULL REFERENCES knowledge_bases (id) ON DELETE CASCADE,
    generation  INTEGER NOT NULL DEFAULT 1,
    position    INTEGER NOT NULL,
    windows     INTEGER NOT NULL DEFAULT 0,
    language    TEXT,
    token_count INTEGER NOT NULL,
    metadata    TEXT NOT NULL,
    content     TEXT NOT NULL
) STRICT;
INSERT INTO document_chunks_rebuilt (key, id, document_id, kb_id, position, windows, token_count,
                                     metadata, content)
SELECT document_chunks.rowid, document_chunks.id, document_id, document_chunks.kb_id, position,
       documents.status = 'ready', token_count, metadata, content
FROM document_chunks JOIN documents ON documents.id = document_id;
DROP TABLE document_chunks;
ALTER TABLE document_chunks_rebuilt RENAME TO document_chunks;
CREATE UNIQUE INDEX document_chunks_in_order ON document_chunks (document_id, generation, position);
CREATE INDEX document_chunks_by_base ON document_chunks (kb_id, generation, windows);

-- The generation that answers. Its model and chunking are repeated in the base's own columns;
-- chunk_size and chunk_overlap there are what the *next* indexing will use.
ALTER TABLE knowledge_bases ADD COLUMN generation INTEGER NOT NULL DEFAULT 1;

-- The registry of indexes. A base without a row here is from before registries: its vectors lie in
-- the shared table `vec_chunks`.
--
-- state: building, serving or previous; one of each at most for a base. vector_table: its vec0
-- table (`vec_kb_<id>` for the first, `vec_kb_<id>_g<number>` for later ones; the key of a chunk's
-- first window is the chunk's id, of further ones `<id>.<n>`; `vec_chunks` where the base was
-- entered here later). text_table: its FTS5 table (`fts_kb_<id>`, `fts_kb_<id>_g<number>`; rowid:
-- document_chunks.key), NULL until it has the words of every chunk. changes: counts what was added to and taken from the vector table, so that
-- an index derived from it knows whether it is stale. finished_at: when it was whole.
CREATE TABLE index_generations (
    kb_id              TEXT NOT NULL REFERENCES knowledge_bases (id) ON DELETE CASCADE,
    number             INTEGER NOT NULL CHECK (number >= 1),
    state              TEXT NOT NULL,
    embedding_model_id TEXT NOT NULL,
    embedding_version  TEXT, -- NULL: from before versions were kept
    embedding_dim      INTEGER NOT NULL,
    chunk_size         INTEGER NOT NULL,
    chunk_overlap      INTEGER NOT NULL,
    vector_table       TEXT NOT NULL,
    text_table         TEXT,
    changes            INTEGER NOT NULL DEFAULT 0,
    created_at         INTEGER NOT NULL,
    finished_at        INTEGER,
    PRIMARY KEY (kb_id, number)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX index_generations_by_state ON index_generations (kb_id, state);
INSERT INTO index_generations (kb_id, number, state, embedding_model_id, embedding_dim, chunk_size,
                               chunk_overlap, vector_table, created_at, finished_at)
SELECT id, 1, 'serving', embedding_model_id, embedding_dim, chunk_size, chunk_overlap,
       'vec_kb_' || id, created_at, created_at
FROM knowledge_bases
WHERE EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'vec_kb_' || knowledge_bases.id);

-- Which documents are whole in which generation.
CREATE TABLE document_indexings (
    document_id    TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    generation     INTEGER NOT NULL,
    chunk_count    INTEGER NOT NULL,
    outside_window INTEGER NOT NULL,
    PRIMARY KEY (document_id, generation)
) STRICT, WITHOUT ROWID;
INSERT INTO document_indexings (document_id, generation, chunk_count, outside_window)
SELECT id, 1, chunk_count, outside_window FROM documents WHERE status = 'ready';

-- A document that is switched off keeps its place and is not found.
ALTER TABLE documents ADD COLUMN is_enabled INTEGER NOT NULL DEFAULT 1;

-- The version of a source, and the source whose place it takes; that one may be gone.
-- (Small columns behind the original: only the library's list reads them, through an index.)
CREATE TABLE source_versions (
    source_id  TEXT NOT NULL PRIMARY KEY REFERENCES sources (id) ON DELETE CASCADE,
    version    INTEGER NOT NULL CHECK (version >= 2),
    replaces   TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sources_by_age ON sources (project_id, created_at);

ALTER TABLE agents ADD COLUMN search_mode TEXT NOT NULL DEFAULT 'hybrid';

-- Vectors of texts that were embedded before: text_hash is the SHA-256 of the text as it went into
-- the model. used_at: for forgetting the longest unused.
CREATE TABLE embedding_cache (
    model                 TEXT NOT NULL,
    version               TEXT NOT NULL,
    text_hash             BLOB NOT NULL,
    used_at               INTEGER NOT NULL,
    tokens_outside_window INTEGER NOT NULL,
    vector                BLOB NOT NULL,
    PRIMARY KEY (model, version, text_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX embedding_cache_by_use ON embedding_cache (used_at);

-- Durable work. payload and progress: JSON by kind. position: the order in which queued jobs are
-- taken, smaller first. leased_by: the open store that works on it (see documents.claimed_by).
CREATE TABLE jobs (
    id            TEXT NOT NULL PRIMARY KEY,
    project_id    TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    kb_id         TEXT, -- may be gone: a job says how it ended all the same
    kind          TEXT NOT NULL,
    title         TEXT NOT NULL,
    state         TEXT NOT NULL,
    step          TEXT,
    position      REAL NOT NULL,
    attempts      INTEGER NOT NULL DEFAULT 0,
    not_before    INTEGER,
    leased_by     TEXT,
    heartbeat_at  INTEGER,
    payload       TEXT NOT NULL,
    progress      TEXT NOT NULL DEFAULT '{}',
    error_code    TEXT,
    error_message TEXT,
    created_at    INTEGER NOT NULL,
    started_at    INTEGER,
    finished_at   INTEGER,
    CHECK ((state = 'running') = (leased_by IS NOT NULL)),
    CHECK ((state IN ('done', 'failed', 'cancelled')) = (finished_at IS NOT NULL))
) STRICT;
CREATE INDEX jobs_by_state ON jobs (state, position);
CREATE INDEX jobs_by_age ON jobs (project_id, created_at);
CREATE INDEX jobs_by_base ON jobs (kb_id);

-- The files of a job, each with its own outcome. error: the JSON of what an interface shows.
CREATE TABLE job_items (
    job_id      TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    number      INTEGER NOT NULL,
    path        TEXT,
    title       TEXT NOT NULL,
    state       TEXT NOT NULL,
    document_id TEXT,
    chunk_count INTEGER NOT NULL DEFAULT 0,
    attempts    INTEGER NOT NULL DEFAULT 0,
    payload     TEXT,
    error       TEXT,
    warnings    TEXT NOT NULL DEFAULT '[]',
    updated_at  INTEGER NOT NULL,
    PRIMARY KEY (job_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX job_items_by_state ON job_items (job_id, state, number);

-- Questions that measure a base. expected: a JSON list of { sourceId, title, start, end }; start
-- and end, in characters of the source's text, are null when any passage of it will do.
CREATE TABLE questions (
    id          TEXT NOT NULL PRIMARY KEY,
    kb_id       TEXT NOT NULL REFERENCES knowledge_bases (id) ON DELETE CASCADE,
    text        TEXT NOT NULL,
    expected    TEXT NOT NULL,
    must_refuse INTEGER NOT NULL DEFAULT 0,
    created_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX questions_by_base ON questions (kb_id, created_at);

-- What a measurement found; it never changes. settings, figures and results: JSON.
CREATE TABLE bench_runs (
    id         TEXT NOT NULL PRIMARY KEY,
    kb_id      TEXT NOT NULL REFERENCES knowledge_bases (id) ON DELETE CASCADE,
    settings   TEXT NOT NULL,
    figures    TEXT NOT NULL,
    results    TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX bench_runs_by_base ON bench_runs (kb_id, created_at);
