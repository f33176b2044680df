-- accounts.sqlite as the version before this one made it.
-- Written down once and never changed, like the migrations that these were.

CREATE TABLE accounts(seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, label TEXT NOT NULL, limit_requests INTEGER, limit_window_s INTEGER, tokens_per_day INTEGER, scopes TEXT, key_days INTEGER, created_at INTEGER NOT NULL, suspended_at INTEGER)STRICT;
CREATE TABLE backfills(seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL REFERENCES accounts(id), mode TEXT NOT NULL CHECK(mode IN('live','sandbox')), state TEXT NOT NULL CHECK(state IN('waiting','running','done','failed','cancelled')), request TEXT NOT NULL, progress TEXT, waits_for TEXT, result TEXT, error TEXT, created_at INTEGER NOT NULL, started_at INTEGER, ended_at INTEGER)STRICT;
CREATE TABLE deliveries(seq INTEGER PRIMARY KEY AUTOINCREMENT, event INTEGER NOT NULL REFERENCES events(seq)ON DELETE CASCADE, webhook INTEGER NOT NULL REFERENCES webhooks(seq)ON DELETE CASCADE, status TEXT NOT NULL CHECK(status IN('pending','delivered','failed')), attempts INTEGER NOT NULL, next_at INTEGER, lease TEXT, response_status INTEGER, error TEXT, created_at INTEGER NOT NULL, attempted_at INTEGER, UNIQUE(event, webhook))STRICT;
CREATE TABLE events(seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, mode TEXT NOT NULL CHECK(mode IN('live','sandbox')), type TEXT NOT NULL, body TEXT, added_at INTEGER NOT NULL, UNIQUE(id, mode))STRICT;
CREATE TABLE idempotency(id BLOB PRIMARY KEY, claimed_at INTEGER NOT NULL, fingerprint BLOB, sealed BLOB)STRICT, WITHOUT ROWID;
CREATE TABLE keys(seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL REFERENCES accounts(id), mode TEXT NOT NULL CHECK(mode IN('live','sandbox')), hash BLOB NOT NULL UNIQUE, key_prefix TEXT NOT NULL, label TEXT NOT NULL, scopes TEXT NOT NULL, limit_requests INTEGER, limit_window_s INTEGER, created_at INTEGER NOT NULL, expires_at INTEGER, last_used_at INTEGER, revoked_at INTEGER)STRICT;
CREATE TABLE relays(mode TEXT PRIMARY KEY CHECK(mode IN('live','sandbox')), seq INTEGER NOT NULL, store_mark TEXT NOT NULL, version TEXT NOT NULL)STRICT, WITHOUT ROWID;
CREATE TABLE screens(seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL REFERENCES accounts(id), mode TEXT NOT NULL CHECK(mode IN('live','sandbox')), name TEXT NOT NULL, query TEXT NOT NULL, created_at INTEGER NOT NULL)STRICT;
CREATE TABLE secrets(name TEXT PRIMARY KEY, value BLOB NOT NULL)STRICT;
CREATE TABLE streamed(seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, mode TEXT NOT NULL CHECK(mode IN('live','sandbox')), type TEXT NOT NULL, body TEXT NOT NULL, receivers TEXT NOT NULL, readable_at INTEGER NOT NULL, UNIQUE(id, mode))STRICT;
CREATE TABLE usage(account TEXT NOT NULL REFERENCES accounts(id), mode TEXT NOT NULL CHECK(mode IN('live','sandbox')), day INTEGER NOT NULL, key_id TEXT NOT NULL REFERENCES keys(id), endpoint TEXT NOT NULL, method TEXT NOT NULL, calls INTEGER NOT NULL, errors INTEGER NOT NULL, tokens INTEGER NOT NULL, PRIMARY KEY(account, mode, day, key_id, endpoint, method))STRICT, WITHOUT ROWID;
CREATE TABLE usage_months(account TEXT NOT NULL REFERENCES accounts(id), mode TEXT NOT NULL CHECK(mode IN('live','sandbox')), month INTEGER NOT NULL, key_id TEXT NOT NULL REFERENCES keys(id), endpoint TEXT NOT NULL, method TEXT NOT NULL, days TEXT NOT NULL, PRIMARY KEY(account, mode, month, key_id, endpoint, method))STRICT, WITHOUT ROWID;
CREATE TABLE webhooks(seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL REFERENCES accounts(id), mode TEXT NOT NULL CHECK(mode IN('live','sandbox')), url TEXT NOT NULL, events TEXT NOT NULL, symbols TEXT, description TEXT, screener TEXT, matched TEXT, secret BLOB NOT NULL, old_secret BLOB, old_secret_until INTEGER, created_at INTEGER NOT NULL, failing_since INTEGER, rest_until INTEGER NOT NULL DEFAULT 0, disabled_at INTEGER, disabled_reason TEXT, screen INTEGER REFERENCES screens(seq)ON DELETE SET NULL, screened_at INTEGER, screener_error TEXT, stream_until INTEGER, stream_from INTEGER)STRICT;
CREATE INDEX backfills_by_account ON backfills(account, mode, seq);
CREATE INDEX backfills_open ON backfills(seq)WHERE state IN('waiting','running');
CREATE INDEX deliveries_by_time ON deliveries(next_at)WHERE next_at IS NOT NULL;
CREATE INDEX deliveries_by_webhook ON deliveries(webhook, seq);
CREATE INDEX deliveries_given_up ON deliveries(seq)WHERE status = 'failed';
CREATE INDEX deliveries_waiting ON deliveries(webhook, next_at)WHERE next_at IS NOT NULL;
CREATE INDEX idempotency_by_age ON idempotency(claimed_at);
CREATE INDEX keys_by_account ON keys(account, mode, seq);
CREATE INDEX screens_by_account ON screens(account, mode, seq);
CREATE INDEX webhooks_by_account ON webhooks(account, mode, seq);
