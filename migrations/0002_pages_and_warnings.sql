-- Where each page begins, what a person should know of the reading, and documents that take
-- another's place.

-- Rebuilt, because columns that are added stand last: a list that wants the warnings would read
-- through every text and every original. The small column stands before the large one.
--
-- pages: the JSON of a Pagination, NULL where the format has no pages. warnings: a JSON list.
CREATE TABLE sources_rebuilt (
    id         TEXT NOT NULL PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    kind       TEXT NOT NULL,
    uri        TEXT,
    title      TEXT NOT NULL,
    mime       TEXT NOT NULL,
    sha256     TEXT NOT NULL CHECK (length(sha256) = 64),
    byte_count INTEGER NOT NULL CHECK (byte_count >= 0),
    char_count INTEGER NOT NULL CHECK (char_count >= 0),
    language   TEXT,
    fetched_at INTEGER,
    etag       TEXT,
    created_at INTEGER NOT NULL,
    warnings   TEXT NOT NULL DEFAULT '[]',
    outline    TEXT NOT NULL DEFAULT '[]',
    pages      TEXT,
    text       TEXT NOT NULL,
    blob       BLOB -- NULL: the text is the original
) STRICT;
INSERT INTO sources_rebuilt (rowid, id, project_id, kind, uri, title, mime, sha256, byte_count,
                             char_count, language, fetched_at, etag, created_at, outline, text, blob)
SELECT rowid, id, project_id, kind, uri, title, mime, sha256, byte_count,
       char_count, language, fetched_at, etag, created_at, outline, text, blob
FROM sources;
DROP TABLE sources;
ALTER TABLE sources_rebuilt RENAME TO sources;
CREATE UNIQUE INDEX sources_by_text ON sources (project_id, sha256);

-- How many of a ready document's chunks end outside the model's window.
ALTER TABLE documents ADD COLUMN outside_window INTEGER NOT NULL DEFAULT 0;
UPDATE documents SET outside_window = (
    SELECT count(*) FROM document_chunks
    WHERE document_id = documents.id
      AND coalesce(json_extract(metadata, '$.tokensOutsideWindow'), 0) > 0
);

-- The document of the same base that goes when this one is ready. It may be gone already.
ALTER TABLE documents ADD COLUMN replaces TEXT;

-- page_kind: page, approximate_page, slide or sheet; NULL with a page is from before this file.
ALTER TABLE ticket_sources ADD COLUMN page_kind TEXT;
ALTER TABLE ticket_sources ADD COLUMN page_label TEXT;

-- document_chunks.metadata may have pageKind and pageLabel from here on.
