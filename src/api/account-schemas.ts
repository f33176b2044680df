/** What JSON answers about keys, usage and accounts look like, field by field. */

import { z } from 'zod';
import { SCOPE_NAMES } from '../store/accounts/scopes.ts';
import { pageSchema } from './answer-schemas.ts';

const dateTime = z.iso.datetime({ precision: 3 });
const scopes = z.array(z.enum(SCOPE_NAMES));

const keyFields = {
  id: z.string().regex(/^key_[0-9A-Za-z]{20}$/),
  keyPrefix: z.string().length(12),
  label: z.string(),
  scopes,
  createdAt: dateTime,
};

export const createdKeySchema = z.strictObject({
  ...keyFields,
  rawKey: z.string().regex(/^svc_(live|test)_[0-9A-Za-z]{33}$/),
});

export const keyPageSchema = pageSchema(
  z.strictObject({
    ...keyFields,
    lastUsedAt: dateTime.nullable(),
    revokedAt: dateTime.nullable(),
    expiresAt: dateTime.optional(),
  }),
);

const count = z.int().min(0);

const usageFields = {
  day: z.iso.date(),
  endpoint: z.string(),
  method: z.string(),
  callCount: count,
  errorCount: count,
  tokensUsed: count,
};

export const usageSchema = z.strictObject({ data: z.array(z.strictObject(usageFields)) });

export const accountUsageSchema = z.strictObject({
  data: z.array(z.strictObject({ account: z.string(), keyId: z.string(), ...usageFields })),
});

export const accountSchema = z.strictObject({
  id: z.string(),
  label: z.string(),
  plan: z.strictObject({
    rateLimit: z
      .strictObject({ requests: z.int().min(1), windowSeconds: z.int().min(1) })
      .nullable(),
    tokensPerDay: count.nullable(),
    scopes: scopes.nullable(),
    keyExpiryDays: z.int().min(1).nullable(),
  }),
  suspended: z.boolean(),
  createdAt: dateTime,
  suspendedAt: dateTime.nullable(),
});

export const accountPageSchema = pageSchema(accountSchema);
