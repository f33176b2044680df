/** `doctor` on set-ups with one thing wrong. */

import { chmodSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkRuntime } from '../../../src/cli/doctor/setup.ts';
import { type CliFolder, createCliFolder } from '../support/run-cli.ts';

interface Check {
  name: string;
  state: string;
  detail: string;
}

describe('doctor', () => {
  let folder: CliFolder;
  afterEach(() => folder?.remove());

  async function failures(env: Record<string, string> = {}, prepare?: (dataDir: string) => void) {
    folder = createCliFolder(env);
    prepare?.(folder.dataDir);
    const { code, stdout } = await folder.run('doctor', '--json');
    const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Check[] };
    const failed = checks.filter(({ state }) => state === 'failed');
    expect([code, ok]).toEqual(failed.length > 0 ? [1, false] : [0, true]);
    return failed.map(({ name, detail }) => `${name}: ${detail}`);
  }

  it('has nothing against an empty folder', async () => {
    expect(await failures()).toEqual([]);
  });

  it('says which schedules run, and that others lack something', async () => {
    folder = createCliFolder({ TAPEWORKS_SCHEDULE: 'rss,yahoo', TAPEWORKS_WATCHLIST: 'SPY' });
    const { checks } = await folder.json('doctor');
    expect(checks).toContainEqual({
      name: 'schedules',
      state: 'ok',
      detail:
        'running: days (yahoo), news (rss), analysts (yahoo), expirations (yahoo), maintenance; not ' +
        'running: minutes, symbols, filings, insiders, earnings dates (tapeworks schedule --list ' +
        'shows what they need)',
    });
  });

  it('names an unknown setting', async () => {
    const [failed] = await failures({ TAPEWORKS_MASIVE_KEY: 'sesame' });
    expect(failed).toContain('settings: TAPEWORKS_MASIVE_KEY is not a setting');
    expect(failed).not.toContain('sesame');
  });

  it('names a data directory that is a file', async () => {
    folder = createCliFolder();
    const file = join(folder.dataDir, 'file');
    writeFileSync(file, '');
    const { code, stdout } = await folder.run('doctor');
    expect([code, stdout]).toEqual([0, expect.stringContaining('data directory')]);
    await folder.remove();
    const [failed] = await failures({ TAPEWORKS_DATA_DIR: '/dev/null/data' });
    expect(failed).toContain('data directory: can\'t use TAPEWORKS_DATA_DIR ("/dev/null/data")');
  });

  it('notes stores that other users can read', async () => {
    folder = createCliFolder();
    const path = join(folder.dataDir, 'accounts.sqlite');
    writeFileSync(path, '');
    const found = async () => {
      const { checks } = await folder.json('doctor');
      return checks.find(({ name }: Check) => name === 'data directory').state;
    };
    for (const [ofFolder, ofFile, state] of [
      [0o755, 0o644, 'note'],
      [0o755, 0o640, 'note'],
      [0o700, 0o644, 'ok'],
      [0o755, 0o600, 'ok'],
    ] as const) {
      chmodSync(folder.dataDir, ofFolder);
      chmodSync(path, ofFile);
      expect([ofFolder, ofFile, await found()]).toEqual([ofFolder, ofFile, state]);
    }
  });

  it('names damaged stores', async () => {
    const failed = await failures({}, (dataDir) => {
      mkdirSync(join(dataDir, 'live', 'serving'), { recursive: true });
      writeFileSync(join(dataDir, 'live', 'market.duckdb'), 'no database');
      writeFileSync(join(dataDir, 'live', 'serving', 'manifest.json'), '{');
      writeFileSync(
        join(dataDir, 'accounts.sqlite'),
        'no database either, and long enough to tell',
      );
    });
    expect(failed.map((line) => line.split(':')[0])).toEqual([
      'live store',
      'live serving files',
      'accounts',
    ]);
  });

  it('names a clock that is behind the files', async () => {
    const [failed] = await failures({}, (dataDir) => {
      const path = join(dataDir, 'accounts.sqlite');
      writeFileSync(path, '');
      const ahead = Date.now() / 1000 + 86_400;
      utimesSync(path, ahead, ahead);
    });
    expect(failed).toMatch(/^clock: .* is earlier than the last write to ".*accounts\.sqlite"/);
  });

  it('names a runtime that is not the pinned one', () => {
    expect(checkRuntime('24.15.0')).toMatchObject({ state: 'note' });
    expect(checkRuntime()).toMatchObject({ state: 'ok' });
  });
});
