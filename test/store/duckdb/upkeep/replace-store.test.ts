import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { modePaths } from '../../../../src/base/config/data-dir.ts';
import { onFailpoint } from '../../../../src/base/failpoints.ts';
import { requireStoreNotLost } from '../../../../src/store/duckdb/connection/missing-store.ts';
import { replaceStore } from '../../../../src/store/duckdb/upkeep/replace-store.ts';

const root = mkdtempSync(join(tmpdir(), 'tapeworks-'));
const paths = { ...modePaths(root, 'live'), root, market: join(root, 'market.duckdb') };
const made = `${paths.market}.rebuilt`;

afterEach(() => {
  onFailpoint(undefined);
  for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true });
});

function write(files: Record<string, string>): void {
  for (const [ending, text] of Object.entries(files)) writeFileSync(paths.market + ending, text);
}

function contents(): Record<string, string> {
  const names = readdirSync(root).map((name) => name.slice('market.duckdb'.length));
  return Object.fromEntries(
    names.sort().map((name) => [name, readFileSync(paths.market + name, 'utf8')]),
  );
}

/** Breaks off before each step in turn. */
function brokenOff(begin: Record<string, string>, check: () => void): number {
  for (let last = 1; ; last++) {
    write({ ...begin, '.rebuilt': 'new' });
    let steps = 0;
    onFailpoint(() => {
      if (++steps === last) throw new Error('broken off');
    });
    try {
      replaceStore(paths, made);
      return last - 1;
    } catch {
      check();
    } finally {
      onFailpoint(undefined);
      if (steps >= last) for (const name of readdirSync(root)) rmSync(join(root, name));
    }
  }
}

it('keeps the newest old store next to the new one', () => {
  write({ '': 'old', '.replaced': 'older', '.wal.replaced': 'older log', '.rebuilt': 'new' });
  replaceStore(paths, made);
  expect(contents()).toEqual({ '': 'new', '.replaced': 'old' });
  write({ '.wal': 'log', '.rebuilt': 'newer' });
  replaceStore(paths, made);
  expect(contents()).toEqual({ '': 'newer', '.replaced': 'new', '.wal.replaced': 'log' });
  rmSync(paths.market);
  rmSync(`${paths.market}.wal.replaced`);
  write({ '.rebuilt': 'newest' });
  replaceStore(paths, made);
  expect(contents()).toEqual({ '': 'newest' });
});

it('broken off anywhere, leaves the old store or the new one', () => {
  const steps = brokenOff({ '': 'old' }, () => {
    expect(readFileSync(paths.market, 'utf8')).toMatch(/^(old|new)$/);
  });
  expect(steps).toBeGreaterThanOrEqual(5);
});

it('broken off anywhere, never leaves a store with a log that is not its own, or without its own', () => {
  let gone = 0;
  brokenOff({ '': 'old', '.wal': 'log' }, () => {
    const [hasLog, hasStore] = [existsSync(`${paths.market}.wal`), existsSync(paths.market)];
    const store = hasStore ? readFileSync(paths.market, 'utf8') : undefined;
    if (hasLog && !hasStore) expect(() => requireStoreNotLost(paths)).toThrow('is missing');
    if (!hasStore) gone++;
    else expect([store, hasLog]).toEqual(store === 'old' ? ['old', true] : ['new', false]);
  });
  expect(gone).toBeGreaterThan(0);
});
