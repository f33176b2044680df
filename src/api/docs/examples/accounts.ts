/** Examples of keys, usage and accounts. */

import type { RouteExample } from '../openapi/contract.ts';
import { onlyPage } from './page.ts';

const KEY = {
  id: 'key_2mVq8ZcX4TnB7LdYw5Rs',
  keyPrefix: 'svc_test_6Rk',
  label: 'notebook',
  scopes: ['quotes:read', 'technicals:read'],
  createdAt: '2026-11-18T12:00:00.000Z',
};

const KEY_ROW = { ...KEY, lastUsedAt: '2026-11-18T12:31:07.000Z', revokedAt: null };

const NEW_KEY = { label: 'notebook', scopes: ['quotes:read', 'technicals:read'] };

/** Put together here, so that no search for keys in the source takes it for one. */
const RAW_KEY = `${KEY.keyPrefix}${'p3WmZ8sQ'.repeat(4).slice(2)}`;

export const keysExample: RouteExample = { title: 'Your keys', answer: onlyPage([KEY_ROW]) };

export const newKeyExample: RouteExample = {
  title: 'A key for quotes and indicators',
  body: NEW_KEY,
  answer: { ...KEY, rawKey: RAW_KEY },
};

export const revokedKeyExample: RouteExample = {
  title: 'Revoke a key',
  path: { keyId: KEY.id },
};

export const accountKeysExample: RouteExample = {
  ...keysExample,
  title: 'Keys of an account',
  path: { accountId: 'acme' },
};

export const newAccountKeyExample: RouteExample = {
  ...newKeyExample,
  path: { accountId: 'acme' },
};

export const revokedAccountKeyExample: RouteExample = {
  title: 'Revoke a key of an account',
  path: { accountId: 'acme', keyId: KEY.id },
};

const USAGE = {
  day: '2026-11-18',
  endpoint: '/svc/technical/{symbol}',
  method: 'GET',
  callCount: 12,
  errorCount: 1,
  tokensUsed: 55,
};

export const usageExample: RouteExample = {
  title: 'One path on one day',
  query: { from: '2026-11-18', to: '2026-11-18', endpoint: USAGE.endpoint },
  answer: { data: [USAGE] },
};

export const accountUsageExample: RouteExample = {
  title: 'An account on one day',
  query: { from: '2026-11-18', to: '2026-11-18', account: 'acme' },
  answer: { data: [{ account: 'acme', keyId: KEY.id, ...USAGE }] },
};

const ACCOUNT = {
  id: 'acme',
  label: 'Acme Research',
  plan: {
    rateLimit: { requests: 600, windowSeconds: 60 },
    tokensPerDay: 100000,
    scopes: null,
    keyExpiryDays: null,
  },
  suspended: false,
  createdAt: '2026-11-18T11:58:00.000Z',
  suspendedAt: null,
};

export const accountsExample: RouteExample = {
  title: 'All accounts',
  answer: onlyPage([ACCOUNT]),
};

export const newAccountExample: RouteExample = {
  title: 'An account with a plan',
  body: {
    id: 'acme',
    label: 'Acme Research',
    plan: { rateLimit: { requests: 600, windowSeconds: 60 }, tokensPerDay: 100000 },
  },
  answer: ACCOUNT,
};

export const accountExample: RouteExample = {
  title: 'One account',
  path: { accountId: 'acme' },
  answer: ACCOUNT,
};

export const accountChangeExample: RouteExample = {
  title: 'Take the daily bound away',
  path: { accountId: 'acme' },
  body: { plan: { tokensPerDay: null } },
  answer: { ...ACCOUNT, plan: { ...ACCOUNT.plan, tokensPerDay: null } },
};
