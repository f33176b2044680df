import { readFileSync } from 'node:fs';
import { tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { accountsPlace } from '../../../src/base/config/data-dir.ts';
import { withAccounts } from '../../../src/store/accounts/open.ts';
import { useExportFolder } from '../support/exported.ts';

const { folder, out } = useExportFolder();

const study = (...args: string[]) => folder.run('study', ...args, '--mode', 'sandbox');

describe('study', () => {
  it('prints a row for each horizon, and what it looked at on stderr', async () => {
    const { stdout, stderr, code } = await study('close > sma(20)', '--horizons', '1,5');
    const [heading, ...rows] = stdout.trim().split('\n');
    expect(heading).toMatch(/^horizon +events +returns +days +symbols +mean +median +hit/);
    expect(rows.map((row) => row.trim().split(/ +/)[0])).toEqual(['1', '5']);
    expect(rows[0]).toMatch(/-?\d+\.\d\d%/);
    expect(stderr).toMatch(/[\d,]+ symbols, [\d,]+ sessions, \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d/);
    expect(code).toBe(0);
  });

  it('takes parameters, modes of both kinds, and warns of combinations', async () => {
    const args = ['rsi($n) < 50', '--param', 'n=5..15:5', '--mode', 'matches', '--horizons', '5'];
    const { data, definition, warnings } = await folder.json('study', ...args, '--mode', 'sandbox');
    expect(data.map((row: Record<string, number>) => row.$n)).toEqual([5, 10, 15]);
    expect(definition).toMatchObject({ mode: 'matches', tried: 3 });
    expect(warnings).toEqual([
      expect.stringMatching(/^3 combinations were tried.* of 3 t values, one above 2\.39 /),
    ]);
  });

  it('writes events to a file', async () => {
    const path = out('events.arrow');
    const args = ['--rows', 'events', '--horizons', '5', '--format', 'arrow', '--out', path];
    await study('close crosses above sma(20)', ...args);
    const table = tableFromIPC(readFileSync(path));
    expect(table.schema.fields.map(({ name }) => name)).toEqual([
      ...['symbol', 'date', 'entry_date', 'entry_gap', 'entry'],
      ...['exit_date_5', 'return_5', 'universe_5', 'early_5'],
    ]);
    expect(table.numRows).toBeGreaterThan(10);
  });

  it('studies the condition of a saved screen by its id', async () => {
    // A key makes the account.
    await folder.run('keys', 'create', '--mode', 'test', '--label', 'mine', '--scopes', 'all');
    const query = 'where=close+crosses+above+sma(20)&limit=5';
    const screen = { account: 'default', mode: 'sandbox', name: 'mine', query } as const;
    const { id } = await withAccounts(accountsPlace(folder.dataDir), (accounts) =>
      accounts.createScreen(screen),
    );
    const [saved, typed] = await Promise.all([
      folder.json('study', '--screen', id, '--mode', 'sandbox'),
      folder.json('study', 'close crosses above sma(20)', '--mode', 'sandbox'),
    ]);
    expect(saved).toEqual(typed);
    const { stderr, code } = await study('--screen', id, '--account', 'other');
    expect(stderr).toContain('screen must be the id of a saved screen in sandbox mode');
    expect(code).toBe(2);
    const both = await study('close > 1', '--screen', id);
    expect(both.stderr).toContain('screen must not be given with where');
  });

  it('marks the place of an error', async () => {
    const { stderr, code } = await study('close > smaa(20)');
    expect(stderr).toContain('did you mean "sma"?\n  close > smaa(20)\n          ^');
    expect(code).toBe(2);
  });

  it.each([
    [['close > 1', '--mode', 'sometimes'], 'Allowed choices are begins, matches, live, sandbox'],
    [['close > 1', '--format', 'arrow'], '--format arrow needs --out'],
    [['rsi($n) < 1'], '$n at position 5 has no values'],
  ])('%j is refused', async (args, message) => {
    const { stderr, code } = await study(...args);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
