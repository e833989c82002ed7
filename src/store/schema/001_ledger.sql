-- The first form of the ledger. docs/formats/ledger.md explains every column.
-- AUTOINCREMENT: an id is never used twice, so a link or a line written by a process that did not see a
-- deletion can never attach itself to something newer.

-- What a lookup reads. The long question text is kept apart, so that a million answers with questions of
-- 4 KB are not 4 GB to search through. A rowid table: in a tree ordered by random keys every record would
-- go to a page in another place; here only its index entry does.
CREATE TABLE answers (
  id                INTEGER PRIMARY KEY AUTOINCREMENT,
  key               BLOB NOT NULL UNIQUE,
  status            INTEGER NOT NULL,
  text              TEXT NOT NULL,
  probs             TEXT,
  notes             TEXT,
  problem           TEXT,
  calls             INTEGER NOT NULL,
  prompt_tokens     INTEGER NOT NULL,
  cached_tokens     INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL,
  usd               REAL NOT NULL,
  ms                REAL NOT NULL,
  judge             TEXT NOT NULL,
  stage             TEXT NOT NULL
);

CREATE TABLE questions (
  answer INTEGER PRIMARY KEY,
  json   TEXT NOT NULL
);

CREATE TABLE runs (
  run     INTEGER PRIMARY KEY AUTOINCREMENT,
  id      TEXT NOT NULL UNIQUE,
  created INTEGER NOT NULL,
  command TEXT NOT NULL,
  rows    INTEGER NOT NULL,
  method  TEXT NOT NULL,
  judge   TEXT NOT NULL,
  options TEXT NOT NULL,
  state   TEXT NOT NULL
);

CREATE TABLE run_results (
  run  INTEGER NOT NULL,
  seq  INTEGER NOT NULL,
  line TEXT NOT NULL,
  PRIMARY KEY (run, seq)
);

CREATE TABLE run_answers (
  run    INTEGER NOT NULL,
  answer INTEGER NOT NULL,
  PRIMARY KEY (run, answer)
) WITHOUT ROWID;
