import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { publish } from '../../jobs/publish/publish.ts';
import { accountsPath, modePaths } from '../../src/base/config/data-dir.ts';
import { checkAccountsFile } from '../../src/store/accounts/sqlite/check.ts';
import { OLDEST_FORMAT } from '../../src/store/arrow/format/manifest.ts';
import { MIGRATIONS } from '../../src/store/duckdb/connection/migrations.ts';
import { openMarketForWriting } from '../../src/store/duckdb/connection/open.ts';
import { startTestServer } from '../api/support/test-server.ts';
import { inFreshFolder } from './children/run.ts';
import { scaled, tell } from './scale.ts';
import { BATCHES, DEPS, loadAll, NOW_MS } from './support/flow.ts';
import { logicalHash } from './support/logical-hash.ts';
import { OLD_DAY, type OldAccounts, writeOldAccounts } from './support/old-accounts.ts';
import { writeOldManifest, writeOldStore } from './support/old-store.ts';
import { toldEvents } from './support/told-events.ts';

const DAYS = BATCHES.flat().filter((load) => 'interval' in load && load.interval === '1d');

/** Tables, indexes and triggers, however their statements are spaced. */
function schemaOf(path: string): string[] {
  const db = new DatabaseSync(path, { readOnly: true });
  const rows = db.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').all();
  db.close();
  const plain = (sql: string) => sql.replace(/--[^\n]*/g, '').replace(/[\s"]+/g, ' ');
  return rows.map(({ sql }) => plain(String(sql)).replace(/ ?([(),]) ?/g, '$1')).sort();
}

/** Keys open, webhooks sign and usage counts as before. */
async function expectAccounts(dataDir: string, old: OldAccounts, title: string): Promise<void> {
  const path = accountsPath(dataDir);
  const server = await startTestServer(dataDir, NOW_MS);
  try {
    const { accounts, request } = server;
    const asked = await request('/v1/svc/quotes/A', { headers: { 'X-API-Key': old.rawKey } });
    expect([asked.status, asked.text], title).toEqual([200, expect.stringContaining('"A"')]);
    const range = { fromDay: OLD_DAY, toDay: OLD_DAY, rowsMax: 10 };
    const usage = await accounts.dailyUsage({ mode: 'live', account: 'a', ...range });
    expect(usage.map(({ callCount }) => callCount)).toEqual([old.usedCalls]);
    expect(accounts.cursorSecret()).toEqual(old.cursorSecret);
    expect(await accounts.webhookSecrets(old.webhook.id)).toEqual([old.webhook.secret]);
    const { ids, quotes } = toldEvents({ accounts: path });
    expect(ids).toContain('evt_1');
    expect(Object.keys(quotes)).toEqual(['A', 'B', 'C']);
  } finally {
    await server.close();
  }
  checkAccountsFile(path);
}

it('a data directory of the version before is upgraded to the same data, keys and webhooks', async () => {
  await inFreshFolder(async (home) => {
    const today = modePaths(join(home, 'today'), 'live');
    mkdirSync(today.root, { recursive: true });
    await loadAll(today, DAYS);
    await publish(today, DEPS);
    const expected = logicalHash(today.serving);
    expect(expected.rows).toBeGreaterThan(180);
    const copy = join(home, 'copy.duckdb');
    cpSync(today.market, copy);
    const [store] = MIGRATIONS;
    for (let format = scaled(OLDEST_FORMAT - 1, 1); format < OLDEST_FORMAT; format++) {
      const title = `format ${format}`;
      const dataDir = join(home, `old-${format}`);
      const paths = modePaths(dataDir, 'live');
      mkdirSync(paths.root, { recursive: true });
      await writeOldStore(paths.market, copy, store.version);
      writeOldManifest(paths.serving, format);
      const old = writeOldAccounts(paths.accounts);
      const market = await openMarketForWriting(paths, DEPS);
      market.close();
      await publish(paths, DEPS);
      expect(logicalHash(paths.serving), title).toEqual(expected);
      await expectAccounts(dataDir, old, title);
      expect(schemaOf(paths.accounts), title).toEqual(schemaOf(today.accounts));
    }
    tell('upgrades', { formats: OLDEST_FORMAT - 1, losses: 0 });
  });
});
