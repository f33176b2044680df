import { z } from 'zod';
import { SCOPE_NAMES } from '../../../store/sqlite/keys/scopes.ts';
import { pageSchema } from '../../responses/pages.ts';
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
