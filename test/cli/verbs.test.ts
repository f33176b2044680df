import { describe, expect, it } from 'vitest';
import { visible } from '../../src/base/quoted.ts';
import { createProgram } from '../../src/cli.ts';
import { createCliFolder, useCliFolder } from './support/run-cli.ts';

const folder = useCliFolder();

const program = await createProgram();

describe('every verb', () => {
  const leaves = program.commands.flatMap((command) =>
    command.commands.length > 0 ? command.commands : [command],
  );

  it('explains itself with --help, and exits 0', async () => {
    for (const verb of leaves) expect(verb.helpInformation()).toContain('Usage: tapeworks');
    const { code, stdout } = await folder.run('accounts', 'create', '--help');
    expect([code, stdout]).toEqual([0, expect.stringContaining('Usage: tapeworks accounts')]);
  });

  // "run a task now that schedules run at night" was one; a --help is read by people in a hurry.
  it('says in its help what it does, beginning with a verb', () => {
    const verbs = program.commands.flatMap((command) =>
      command.name() === 'backfill' ? [command] : [command, ...command.commands],
    );
    const others = /^(a|all|an|each|internal|of|published|sessions|the|what|where|who|whether)\b/;
    expect(
      verbs.filter((leaf) => others.test(leaf.description()) && !leaf.name().startsWith('pipe')),
    ).toEqual([]);
  });

  it('has --json, but for those that programs start', () => {
    const without = leaves.filter((leaf) => !leaf.options.some(({ long }) => long === '--json'));
    expect(without.map((leaf) => leaf.name())).toEqual(['mcp', 'pipeline']);
  });
});

describe('exit codes', () => {
  it.each([
    [['nonsense']],
    [['keys', 'create', '--mode', 'paper', '--label', 'x', '--scopes', 'all']],
    [['keys', 'create', '--mode', 'live', '--label', 'x', '--scopes', 'none:read']],
    [['keys', 'revoke', 'key_unknown']],
    [['backfill', 'files', 'candles']],
    [['backfill', 'files', 'candles', 'x.csv', '--basis', 'adjusted']],
    [['backfill', 'files', 'candles', 'x.csv', '--interval', '15m']],
    [['backfill', 'files', 'candles', 'x.csv', '--zone', 'Mars/Olympus']],
    [['backfill', 'stooq', 'x.zip', '--stamps', 'middle']],
    [['backfill', 'stooq', 'x.zip', '--from', '2026-02-30']],
    [['backfill', 'sandbox', '--mode', 'live']],
    [['backfill', 'sandbox', '--stocks', 'many']],
    [['backfill', 'yahoo']],
    [['backfill', 'cboe']],
    [['sql', 'SELECT 1', '--mode', 'paper']],
  ])('is 2 for the wrong usage %j', async (args) => {
    const { code, stdout, stderr } = await folder.run(...args);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect([code, stdout]).toEqual([2, '']);
  });

  it.each([
    [['go\u001b[31m']],
    [['keys', 'li\u202est']],
    [['status', '--\u009b2J']],
    [['template', '\u2066x']],
    [['status', '--mode', '\u001b[2J']],
  ])('is 2 for %j, which reaches no terminal as it is', async (args) => {
    const { code, stderr } = await folder.run(...args);
    expect(code).toBe(2);
    expect(visible(stderr)).toBe(stderr);
  });

  it.each([
    ['stat', 'command', 'status'],
    ['key', 'command', 'keys'],
    ['strat', 'command', 'start'],
    ['backfil', 'command', 'backfill'],
    ['backfill stoq', 'command', 'stooq'],
    ['backfill polgon', 'command', 'polygon'],
    ['keys creat', 'command', 'create'],
    ['status --jsn', 'option', '--json'],
    ['gaps --sym A', 'option', '--symbols'],
  ])('is 2 for "%s", an unknown %s, and names %s', async (line, kind, nearest) => {
    const { code, stderr } = await folder.run(...line.split(' '));
    expect([code, stderr.split('\n')[0]]).toEqual([
      2,
      expect.stringMatching(
        new RegExp(`^tapeworks: unknown ${kind} ".*"; did you mean ${nearest}\\?$`),
      ),
    ]);
  });

  it('is 2 for an unknown setting, and names it', async () => {
    const other = createCliFolder({ TAPEWORKS_PROT: '1' });
    const { code, stderr } = await other.run('status');
    await other.remove();
    expect(code).toBe(2);
    expect(stderr).toContain('TAPEWORKS_PROT is not a setting');
  });

  it('is 2 for a file that does not exist, and names it', async () => {
    const { code, stderr } = await folder.run('backfill', 'files', 'candles', 'no-such-file.csv');
    expect(code).toBe(2);
    expect(stderr).toContain('no-such-file.csv');
  });

  it('is 2 for a symbol that is no US stock or fund, and says what it is', async () => {
    for (const args of [
      ['backfill', 'yahoo', '--symbols', 'SPY,BTC-USD'],
      ['explain', 'BTC-USD', '2026-01-05'],
      ['symbols', 'show', 'BTC-USD'],
    ]) {
      const { code, stderr } = await folder.run(...args);
      expect([code, stderr.trim()]).toEqual([
        2,
        'tapeworks: symbol must be a US stock or fund, got "BTC-USD", which is a cryptocurrency',
      ]);
    }
  });

  it('is 1 for sql before anything was loaded', async () => {
    const { code, stderr } = await folder.run('sql', 'SELECT 1');
    expect(code).toBe(1);
    expect(stderr).toContain('run a backfill first');
  });
});

describe('settings', () => {
  it('are listed with their defaults, without values, next to a misspelled one', async () => {
    const env = {
      TAPEWORKS_PROT: '1',
      TAPEWORKS_TIINGO_KEY: 'sesame',
      TAPEWORKS_API_KEY: 'sesame',
    };
    const other = createCliFolder(env);
    const { code, stdout } = await other.run('settings');
    await other.remove();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^TAPEWORKS_HOST +- +127\.0\.0\.1$/m);
    expect(stdout).toMatch(/^TAPEWORKS_TIINGO_KEY +set +-$/m);
    expect(stdout).toMatch(/^TAPEWORKS_API_KEY +set +-$/m);
    expect(stdout).not.toContain('sesame');
  });
});

describe('keys', () => {
  it('prints the raw key once, lists it without, and revokes it', async () => {
    const made = await folder.json(
      ...['keys', 'create', '--mode', 'test', '--label', 'ci', '--scopes', 'quotes:read'],
    );
    expect(made.rawKey).toMatch(/^svc_test_/);
    expect(Object.keys(made).sort()).toEqual(
      ['createdAt', 'id', 'keyPrefix', 'label', 'rawKey', 'scopes'].sort(),
    );
    const [listed] = await folder.json('keys', 'list');
    expect(listed).toMatchObject({ id: made.id, scopes: ['quotes:read'], revokedAt: null });
    expect(JSON.stringify(listed)).not.toContain(made.rawKey);
    await folder.json('keys', 'revoke', made.id);
    const [revoked] = await folder.json('keys', 'list');
    expect(revoked.revokedAt).not.toBeNull();
  });
});

describe('mistakes that people make', () => {
  it('a port in use is one line that says what to do', async () => {
    const { port } = new URL((await folder.serve()).address);
    const other = createCliFolder({ TAPEWORKS_PORT: port });
    const { code, stderr } = await other.run('serve');
    await other.remove();
    expect(code).toBe(1);
    expect(stderr).toBe(
      `tapeworks: 127.0.0.1:${port} is in use: stop the other process or set TAPEWORKS_PORT\n` +
        `  because: listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`,
    );
  });

  it.each([
    [['backfill', 'files', 'candles', 'x.csv', '--from', '2025-01-02', '--to', '2025-01-01']],
    [['backfill', 'files', 'candles', 'x.csv', '--as-of', '2199-01-01']],
    [['backfill', 'sandbox', '--symbols', 'QXAA']],
  ])('%j is wrong usage', async (args) => {
    expect((await folder.run(...args)).code).toBe(2);
  });
});
