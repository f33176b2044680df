import { z } from 'zod';
import { SCOPE_NAMES } from '../../../store/accounts/keys/scopes.ts';
import type { RouteExample } from '../../contract/route.ts';
import { pageSchema } from '../../responses/pages.ts';
import { dateTime } from '../../responses/schema-fields.ts';

const plan = z
  .strictObject({
    rateLimit: z
      .strictObject({ requests: z.int().min(1), windowSeconds: z.int().min(1) })
      .nullable()
      .describe('For each key without its own limit; null: the limit of the server.'),
    tokensPerDay: z
      .int()
      .min(0)
      .nullable()
      .describe('For all keys together, in each mode; null: unlimited.'),
    scopes: z
      .array(z.enum(SCOPE_NAMES))
      .nullable()
      .describe('Scopes that keys can have; null: all.'),
    keyExpiryDays: z.int().min(1).nullable().describe('Lifetime of new keys; null: until revoked.'),
  })
  .meta({ id: 'Plan' });

export const accountSchema = z
  .strictObject({
    id: z.string(),
    label: z.string(),
    plan,
    suspended: z.boolean(),
    createdAt: dateTime,
    suspendedAt: dateTime.nullable(),
  })
  .meta({ id: 'Account' });

export const accountPageSchema = pageSchema('AccountPage', accountSchema);

export const ACCOUNT = {
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

export const newAccountExample: RouteExample = {
  title: 'An account with a plan',
  body: {
    id: 'acme',
    label: 'Acme Research',
    plan: { rateLimit: { requests: 600, windowSeconds: 60 }, tokensPerDay: 100000 },
  },
  response: ACCOUNT,
};
