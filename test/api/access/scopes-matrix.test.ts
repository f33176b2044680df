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

/** Returns a key with one scope. */
async function keyWith(scope: string): Promise<string> {
  const known =
    rawKeys.get(scope) ?? (await fixture.server.newKey({ account: 'matrix', scopes: [scope] }));
  rawKeys.set(scope, known);
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
      const statuses = await Promise.all(
        SCOPE_NAMES.map(async (scope) => (await ask(route, await keyWith(scope))).status),
      );
      const open = SCOPE_NAMES.filter((_scope, i) => statuses[i] !== 403);
      expect(open).toEqual([needed]);
      expect(statuses.every((status) => status < 500 && status !== 401)).toBe(true);
    });
  },
);
