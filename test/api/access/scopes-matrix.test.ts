/** Tests every scope against every route: the declared scope opens it, no other one does. */

import { describe, expect, it } from 'vitest';
import { ROUTES, routeName } from '../../../src/api/routes/routes.ts';
import { SCOPE_NAMES } from '../../../src/store/accounts/keys/scopes.ts';
import { useFixtureServer } from '../support/fixture-server.ts';

const fixture = useFixtureServer();

const PARAMETERS: Record<string, string> = {
  symbol: 'ABC',
  keyId: 'key_none',
  accountId: 'default',
  id: 'none',
};

const rawKeys = new Map<string, string>();

async function keyWith(scopes: readonly string[]): Promise<string> {
  const name = scopes.join();
  const known =
    rawKeys.get(name) ?? (await fixture.server.newKey({ account: 'matrix', scopes: [...scopes] }));
  rawKeys.set(name, known);
  return known;
}

async function ask(route: string, rawKey: string) {
  const [method, template] = route.split(' ');
  const path = template.replace(/\{(\w+)\}/g, (_text, name) => PARAMETERS[name]);
  const hasBody = method === 'POST' || method === 'PATCH';
  return fixture.server.request(`/v1${path}`, {
    method,
    headers: { 'X-API-Key': rawKey, 'Content-Type': 'application/json' },
    body: hasBody ? '{"nonsense":1}' : undefined,
  });
}

describe.each(ROUTES.map((route) => [routeName(route), route.access] as const))(
  '%s',
  (route, { scope: needed }) => {
    it('accepts its scope alone', async () => {
      const others = SCOPE_NAMES.filter((scope) => scope !== needed);
      expect((await ask(route, await keyWith(others))).status).toBe(403);
      const { status } = await ask(route, await keyWith([needed]));
      expect([401, 403]).not.toContain(status);
      expect(status).toBeLessThan(500);
    });
  },
);
