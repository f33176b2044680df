/** What JSON answers about keys, usage and accounts look like; see `answer-schemas.ts`. */

import { z } from 'zod';
import { SCOPE_NAMES } from '../../../store/sqlite/keys/scopes.ts';
import { dateTime, pageSchema } from '../../docs/answer-schemas.ts';

const scopes = z.array(z.enum(SCOPE_NAMES));

const keyFields = {
  id: z.string().regex(/^key_[0-9A-Za-z]{20}$/),
  keyPrefix: z.string().length(12).describe('First characters of the key, to recognise it by.'),
  label: z.string(),
  scopes,
  createdAt: dateTime,
};

export const createdKeySchema = z
  .strictObject({
    ...keyFields,
    rawKey: z
      .string()
      .regex(/^svc_(live|test)_[0-9A-Za-z]{33}$/)
      .describe('The key itself. Shown only in this response.'),
  })
  .meta({ id: 'CreatedKey' });

const keyRow = z
  .strictObject({
    ...keyFields,
    lastUsedAt: dateTime.nullable(),
    revokedAt: dateTime.nullable(),
    expiresAt: dateTime.optional().describe('Present for keys that expire.'),
  })
  .meta({ id: 'KeyRow' });

export const keyPageSchema = pageSchema('KeyPage', keyRow);

const count = z.int().min(0);

const usageFields = {
  day: z.iso.date().describe('In UTC.'),
  endpoint: z.string().describe('A path of this description, or `(none)`.'),
  method: z.string(),
  callCount: count,
  errorCount: count,
  tokensUsed: count,
};

const usageRow = z.strictObject(usageFields).meta({ id: 'UsageRow' });

export const usageSchema = z.strictObject({ data: z.array(usageRow) }).meta({ id: 'Usage' });

const accountUsageRow = z
  .strictObject({ account: z.string(), keyId: z.string(), ...usageFields })
  .meta({ id: 'AccountUsageRow' });

export const accountUsageSchema = z
  .strictObject({ data: z.array(accountUsageRow) })
  .meta({ id: 'AccountUsage' });

const plan = z
  .strictObject({
    rateLimit: z
      .strictObject({ requests: z.int().min(1), windowSeconds: z.int().min(1) })
      .nullable()
      .describe('For each key without its own limit; null: the limit of the server.'),
    tokensPerDay: count
      .nullable()
      .describe('For all keys together, in each mode; null: unlimited.'),
    scopes: scopes.nullable().describe('Scopes that keys can have; null: all.'),
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
