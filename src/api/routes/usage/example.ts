import type { RouteExample } from '../../contract/route.ts';

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
  response: { data: [USAGE] },
};

export const accountUsageExample: RouteExample = {
  title: 'An account on one day',
  query: { from: '2026-11-18', to: '2026-11-18', account: 'acme' },
  response: { data: [{ account: 'acme', keyId: 'key_2mVq8ZcX4TnB7LdYw5Rs', ...USAGE }] },
};
