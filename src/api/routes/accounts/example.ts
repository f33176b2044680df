import type { RouteExample } from '../../contract/route.ts';
import { onlyPage } from '../../responses/pages.ts';

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

const path = { accountId: ACCOUNT.id };

export const accountsExample: RouteExample = {
  title: 'All accounts',
  response: onlyPage([ACCOUNT]),
};

export const newAccountExample: RouteExample = {
  title: 'An account with a plan',
  body: {
    id: 'acme',
    label: 'Acme Research',
    plan: { rateLimit: { requests: 600, windowSeconds: 60 }, tokensPerDay: 100000 },
  },
  response: ACCOUNT,
};

export const accountExample: RouteExample = { title: 'One account', path, response: ACCOUNT };

export const accountChangeExample: RouteExample = {
  title: 'Remove the daily token quota',
  path,
  body: { plan: { tokensPerDay: null } },
  response: { ...ACCOUNT, plan: { ...ACCOUNT.plan, tokensPerDay: null } },
};
