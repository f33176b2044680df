/** Accounts and keys at the machine, as `accounts:write` allows them over HTTP. */

import { beforeAll, describe, expect, it } from 'vitest';
import { accountSchema } from '../../../src/api/routes/accounts/schema.ts';
import { useCliFolder } from '../support/run-cli.ts';

const LONG = 'a label of a hundred characters '.repeat(3).trim();

describe('accounts and keys at the machine', () => {
  const folder = useCliFolder();

  const bounds = ['--limit', '100/60', '--tokens', '5000', '--key-days', '90'];

  beforeAll(async () => {
    const scopes = ['--scopes', 'quotes:read,technicals:read'];
    await folder.json('accounts', 'create', '--id', 'acme', '--label', LONG, ...bounds, ...scopes);
  });

  it('show an account as HTTP answers it', async () => {
    const account = await folder.json('accounts', 'show', 'acme');
    expect(accountSchema.parse(account)).toMatchObject({
      id: 'acme',
      plan: {
        rateLimit: { requests: 100, windowSeconds: 60 },
        tokensPerDay: 5000,
        scopes: ['quotes:read', 'technicals:read'],
        keyExpiryDays: 90,
      },
      suspended: false,
    });
    const all = await folder.json('accounts', 'list');
    expect(all).toEqual([account]);
  });

  it('change what is named, and take bounds away by none', async () => {
    await folder.json('accounts', 'create', '--id', 'two', '--label', 'Two', ...bounds);
    const changed = await folder.json(
      ...['accounts', 'update', 'two', '--tokens', 'none', '--limit', '5/1'],
    );
    expect(changed.plan).toEqual({
      rateLimit: { requests: 5, windowSeconds: 1 },
      tokensPerDay: null,
      scopes: null,
      keyExpiryDays: 90,
    });
    expect((await folder.json('accounts', 'suspend', 'two')).suspended).toBe(true);
    expect((await folder.json('accounts', 'update', 'two', '--label', 'II')).suspended).toBe(true);
    expect(await folder.json('accounts', 'resume', 'two')).toMatchObject({
      label: 'II',
      suspended: false,
    });
  });

  it('refuse what no plan has, with the option and the rule', async () => {
    for (const [args, words] of [
      [['update', 'acme'], 'accounts update needs --label'],
      [['update', 'acme', '--tokens', 'many'], '--tokens must be a whole number'],
      [['update', 'acme', '--limit', '5/90000'], '--limit must be at most'],
      [['update', 'acme', '--scopes', 'nope'], 'scopes must be among'],
      [['create', '--id', 'acme', '--label', 'again'], 'which exists'],
    ] as const) {
      const { code, stdout, stderr } = await folder.run('accounts', ...args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(words);
    }
    const { code, stderr } = await folder.run('accounts', 'suspend', 'nobody');
    expect([code, stderr]).toEqual([
      1,
      'tapeworks: no account "nobody": accounts list shows all\n',
    ]);
  });

  it('say that keys made on this machine have no limit, unless the plan has one', async () => {
    const { stdout } = await folder.run('accounts', 'create', '--label', 'free');
    expect(stdout).toContain('key made on this machine: none, unless keys create sets one\n');
    const limited = await folder.run('accounts', 'create', '--label', 'b', '--limit', '5/10');
    expect(limited.stdout).toContain('rate limit of each key: 5 requests in 10 s\n');
    expect(limited.stdout).not.toContain('on this machine');
  });

  it('give a key no rate limit, unless an option or the plan gives one', async () => {
    const create = (...args: string[]) =>
      folder.json('keys', 'create', '--mode', 'live', '--scopes', 'quotes:read', ...args);
    const free = await create('--label', LONG);
    const bound = await create('--label', 'bound', '--limit', '7/60');
    const planned = await create('--label', 'planned', '--account', 'acme');
    const keys = await folder.json('keys', 'list');
    const limitOf = (id: string) => keys.find((key: { id: string }) => key.id === id).limit;
    expect(limitOf(free.id)).toMatchObject({ requests: 2_147_483_647 });
    expect(limitOf(bound.id)).toEqual({ requests: 7, windowS: 60 });
    expect(limitOf(planned.id)).toBeNull();
    expect(await folder.json('keys', 'list', '--account', 'acme')).toHaveLength(1);
  });

  it('fit a terminal of 80 columns', async () => {
    for (const verb of ['keys', 'accounts']) {
      const { stdout } = await folder.run(verb, 'list');
      expect(stdout).toContain('…');
      expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    }
  });

  it('tell what keys have asked while a server runs', async () => {
    const server = await folder.serve();
    const key = await folder.key('live');
    const answer = await server.get('/v1/svc/symbols', key.headers);
    expect(answer.headers.get('x-svc-ratelimit-limit')).toBe('2147483647');
    await server.get('/v1/svc/fundamentals/AAPL/balance-sheet', key.headers);
    await server.close();
    // Requests tell rows apart, so they are never cut.
    const { stdout } = await folder.run('accounts', 'usage', '--key', key.id);
    const [heading, ofKey, ...requests] = stdout.trimEnd().split('\n');
    expect(heading).toMatch(/^REQUEST +CALLS +ERRORS +TOKENS$/);
    expect(ofKey).toMatch(new RegExp(`^\\d{4}-\\d\\d-\\d\\d {2}default {2}${key.id}$`));
    expect(requests.map((line) => line.split(/ {2,}/))).toEqual([
      ['', 'GET /svc/fundamentals/{symbol}/balance-sheet', '1', '1', '0'],
      ['', 'GET /svc/symbols', '1', '0', '1'],
    ]);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(await folder.json('accounts', 'usage', '--key', key.id)).toMatchObject([
      { endpoint: '/svc/fundamentals/{symbol}/balance-sheet', errorCount: 1 },
      { account: 'default', keyId: key.id, endpoint: '/svc/symbols', callCount: 1 },
    ]);
    expect(await folder.json('accounts', 'usage', '--mode', 'test')).toEqual([]);
  });
});
