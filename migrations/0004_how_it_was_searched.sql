-- What a run rests on: how it was searched, and which index answered.

-- search: the JSON of { mode, topK, maxDistance, indexes }, where indexes is a list of { kbId,
-- generation, embeddingModelId, embeddingVersion }. NULL: a run from before this was kept.
ALTER TABLE runs ADD COLUMN search TEXT;

-- searched_index: the JSON of one such index; NULL as above.
ALTER TABLE bench_runs ADD COLUMN searched_index TEXT;
