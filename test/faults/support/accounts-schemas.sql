-- accounts.sqlite as each earlier version of the program made it: what it added to the one before.
-- Written down once and never changed, like the migrations that these were.

-- version 1
CREATE TABLE keys ( id TEXT PRIMARY KEY, account TEXT NOT NULL, mode TEXT NOT NULL CHECK (mode IN ('live', 'sandbox')), hash BLOB NOT NULL UNIQUE, key_prefix TEXT NOT NULL, label TEXT NOT NULL, scopes TEXT NOT NULL, limit_requests INTEGER, limit_window_s INTEGER, created_at INTEGER NOT NULL, last_used_at INTEGER, revoked_at INTEGER ) STRICT;
CREATE INDEX keys_by_account ON keys (account, created_at);

-- version 2
CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;

-- version 3
CREATE TABLE accounts ( seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, label TEXT NOT NULL, limit_requests INTEGER, limit_window_s INTEGER, tokens_per_day INTEGER, scopes TEXT, key_days INTEGER, created_at INTEGER NOT NULL, suspended_at INTEGER ) STRICT;
INSERT INTO accounts (id, label, created_at) SELECT account, account, min(created_at) FROM keys GROUP BY account ORDER BY min(created_at);
CREATE TABLE new_keys ( seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL REFERENCES accounts (id), mode TEXT NOT NULL CHECK (mode IN ('live', 'sandbox')), hash BLOB NOT NULL UNIQUE, key_prefix TEXT NOT NULL, label TEXT NOT NULL, scopes TEXT NOT NULL, limit_requests INTEGER, limit_window_s INTEGER, created_at INTEGER NOT NULL, expires_at INTEGER, last_used_at INTEGER, revoked_at INTEGER ) STRICT;
INSERT INTO new_keys (id, account, mode, hash, key_prefix, label, scopes, limit_requests, limit_window_s, created_at, last_used_at, revoked_at) SELECT id, account, mode, hash, key_prefix, label, scopes, limit_requests, limit_window_s, created_at, last_used_at, revoked_at FROM keys ORDER BY created_at, rowid;
DROP TABLE keys;
ALTER TABLE new_keys RENAME TO keys;
CREATE INDEX keys_by_account ON keys (account, mode, seq);

-- version 4
CREATE TABLE usage ( account TEXT NOT NULL REFERENCES accounts (id), mode TEXT NOT NULL CHECK (mode IN ('live', 'sandbox')), day INTEGER NOT NULL, key_id TEXT NOT NULL REFERENCES keys (id), endpoint TEXT NOT NULL, method TEXT NOT NULL, calls INTEGER NOT NULL, errors INTEGER NOT NULL, tokens INTEGER NOT NULL, PRIMARY KEY (account, mode, day, key_id, endpoint, method) ) STRICT, WITHOUT ROWID;

-- version 5
CREATE TABLE idempotency ( id BLOB PRIMARY KEY, claimed_at INTEGER NOT NULL, fingerprint BLOB, sealed BLOB ) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_by_age ON idempotency (claimed_at);

-- version 6
CREATE TABLE webhooks ( seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL REFERENCES accounts (id), mode TEXT NOT NULL CHECK (mode IN ('live', 'sandbox')), url TEXT NOT NULL, events TEXT NOT NULL, symbols TEXT, description TEXT, screener TEXT, matched TEXT, secret BLOB NOT NULL, old_secret BLOB, old_secret_until INTEGER, created_at INTEGER NOT NULL, failing_since INTEGER, rest_until INTEGER NOT NULL DEFAULT 0, disabled_at INTEGER, disabled_reason TEXT ) STRICT;
CREATE INDEX webhooks_by_account ON webhooks (account, mode, seq);
CREATE TABLE events ( seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, mode TEXT NOT NULL CHECK (mode IN ('live', 'sandbox')), type TEXT NOT NULL, body TEXT, added_at INTEGER NOT NULL, UNIQUE (id, mode) ) STRICT;
CREATE TABLE deliveries ( seq INTEGER PRIMARY KEY AUTOINCREMENT, event INTEGER NOT NULL REFERENCES events (seq) ON DELETE CASCADE, webhook INTEGER NOT NULL REFERENCES webhooks (seq) ON DELETE CASCADE, status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')), attempts INTEGER NOT NULL, next_at INTEGER, lease TEXT, response_status INTEGER, error TEXT, created_at INTEGER NOT NULL, attempted_at INTEGER, UNIQUE (event, webhook) ) STRICT;
CREATE INDEX deliveries_by_webhook ON deliveries (webhook, seq);
CREATE INDEX deliveries_by_time ON deliveries (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX deliveries_waiting ON deliveries (webhook, next_at) WHERE next_at IS NOT NULL;

-- version 7
CREATE TABLE relays ( mode TEXT PRIMARY KEY CHECK (mode IN ('live', 'sandbox')), seq INTEGER NOT NULL, store_mark TEXT NOT NULL, version TEXT NOT NULL ) STRICT, WITHOUT ROWID;

-- version 8
INSERT INTO secrets (name, value) VALUES ('rows', randomblob(32));
ALTER TABLE accounts ADD COLUMN mac BLOB;
UPDATE accounts SET mac = row_mac('accounts', accounts.id, accounts.seq, accounts.label, accounts.limit_requests, accounts.limit_window_s, accounts.tokens_per_day, accounts.scopes, accounts.key_days, accounts.created_at, accounts.suspended_at);
CREATE TRIGGER accounts_added AFTER INSERT ON accounts BEGIN UPDATE accounts SET mac = row_mac('accounts', NEW.id, NEW.seq, NEW.label, NEW.limit_requests, NEW.limit_window_s, NEW.tokens_per_day, NEW.scopes, NEW.key_days, NEW.created_at, NEW.suspended_at) WHERE seq = NEW.seq;
END;
CREATE TRIGGER accounts_changing BEFORE UPDATE OF id, seq, label, limit_requests, limit_window_s, tokens_per_day, scopes, key_days, created_at, suspended_at ON accounts BEGIN SELECT require_whole(OLD.mac, 'accounts', OLD.id, OLD.seq, OLD.label, OLD.limit_requests, OLD.limit_window_s, OLD.tokens_per_day, OLD.scopes, OLD.key_days, OLD.created_at, OLD.suspended_at);
END;
CREATE TRIGGER accounts_changed AFTER UPDATE OF id, seq, label, limit_requests, limit_window_s, tokens_per_day, scopes, key_days, created_at, suspended_at ON accounts BEGIN UPDATE accounts SET mac = row_mac('accounts', NEW.id, NEW.seq, NEW.label, NEW.limit_requests, NEW.limit_window_s, NEW.tokens_per_day, NEW.scopes, NEW.key_days, NEW.created_at, NEW.suspended_at) WHERE seq = NEW.seq;
END;
ALTER TABLE keys ADD COLUMN mac BLOB;
UPDATE keys SET mac = row_mac('keys', keys.id, keys.seq, keys.account, keys.mode, keys.hash, keys.key_prefix, keys.label, keys.scopes, keys.limit_requests, keys.limit_window_s, keys.created_at, keys.expires_at, keys.revoked_at);
CREATE TRIGGER keys_added AFTER INSERT ON keys BEGIN UPDATE keys SET mac = row_mac('keys', NEW.id, NEW.seq, NEW.account, NEW.mode, NEW.hash, NEW.key_prefix, NEW.label, NEW.scopes, NEW.limit_requests, NEW.limit_window_s, NEW.created_at, NEW.expires_at, NEW.revoked_at) WHERE seq = NEW.seq;
END;
CREATE TRIGGER keys_changing BEFORE UPDATE OF id, seq, account, mode, hash, key_prefix, label, scopes, limit_requests, limit_window_s, created_at, expires_at, revoked_at ON keys BEGIN SELECT require_whole(OLD.mac, 'keys', OLD.id, OLD.seq, OLD.account, OLD.mode, OLD.hash, OLD.key_prefix, OLD.label, OLD.scopes, OLD.limit_requests, OLD.limit_window_s, OLD.created_at, OLD.expires_at, OLD.revoked_at);
END;
CREATE TRIGGER keys_changed AFTER UPDATE OF id, seq, account, mode, hash, key_prefix, label, scopes, limit_requests, limit_window_s, created_at, expires_at, revoked_at ON keys BEGIN UPDATE keys SET mac = row_mac('keys', NEW.id, NEW.seq, NEW.account, NEW.mode, NEW.hash, NEW.key_prefix, NEW.label, NEW.scopes, NEW.limit_requests, NEW.limit_window_s, NEW.created_at, NEW.expires_at, NEW.revoked_at) WHERE seq = NEW.seq;
END;
ALTER TABLE webhooks ADD COLUMN mac BLOB;
UPDATE webhooks SET mac = row_mac('webhooks', webhooks.id, webhooks.seq, webhooks.account, webhooks.mode, webhooks.url, webhooks.events, webhooks.symbols, webhooks.description, webhooks.screener, webhooks.secret, webhooks.old_secret, webhooks.old_secret_until, webhooks.created_at, webhooks.disabled_at);
CREATE TRIGGER webhooks_added AFTER INSERT ON webhooks BEGIN UPDATE webhooks SET mac = row_mac('webhooks', NEW.id, NEW.seq, NEW.account, NEW.mode, NEW.url, NEW.events, NEW.symbols, NEW.description, NEW.screener, NEW.secret, NEW.old_secret, NEW.old_secret_until, NEW.created_at, NEW.disabled_at) WHERE seq = NEW.seq;
END;
CREATE TRIGGER webhooks_changing BEFORE UPDATE OF id, seq, account, mode, url, events, symbols, description, screener, secret, old_secret, old_secret_until, created_at, disabled_at ON webhooks BEGIN SELECT require_whole(OLD.mac, 'webhooks', OLD.id, OLD.seq, OLD.account, OLD.mode, OLD.url, OLD.events, OLD.symbols, OLD.description, OLD.screener, OLD.secret, OLD.old_secret, OLD.old_secret_until, OLD.created_at, OLD.disabled_at);
END;
CREATE TRIGGER webhooks_changed AFTER UPDATE OF id, seq, account, mode, url, events, symbols, description, screener, secret, old_secret, old_secret_until, created_at, disabled_at ON webhooks BEGIN UPDATE webhooks SET mac = row_mac('webhooks', NEW.id, NEW.seq, NEW.account, NEW.mode, NEW.url, NEW.events, NEW.symbols, NEW.description, NEW.screener, NEW.secret, NEW.old_secret, NEW.old_secret_until, NEW.created_at, NEW.disabled_at) WHERE seq = NEW.seq;
END;

-- version 9
CREATE TABLE usage_months ( account TEXT NOT NULL REFERENCES accounts (id), mode TEXT NOT NULL CHECK (mode IN ('live', 'sandbox')), month INTEGER NOT NULL, key_id TEXT NOT NULL REFERENCES keys (id), endpoint TEXT NOT NULL, method TEXT NOT NULL, days TEXT NOT NULL, PRIMARY KEY (account, mode, month, key_id, endpoint, method) ) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_given_up ON deliveries (seq) WHERE status = 'failed';

-- version 10
DROP TRIGGER IF EXISTS accounts_added;
DROP TRIGGER IF EXISTS accounts_changing;
DROP TRIGGER IF EXISTS accounts_changed;
DROP TRIGGER IF EXISTS keys_added;
DROP TRIGGER IF EXISTS keys_changing;
DROP TRIGGER IF EXISTS keys_changed;
DROP TRIGGER IF EXISTS webhooks_added;
DROP TRIGGER IF EXISTS webhooks_changing;
DROP TRIGGER IF EXISTS webhooks_changed;
ALTER TABLE accounts DROP COLUMN mac;
ALTER TABLE keys DROP COLUMN mac;
ALTER TABLE webhooks DROP COLUMN mac;
DELETE FROM secrets WHERE name IN ('rows', 'schema');
