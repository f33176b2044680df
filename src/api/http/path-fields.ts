/** Parameters in paths, as the API description has them; routes look up what they mean. */

import { z } from 'zod';
import { SYMBOL_TEXT } from './query-fields.ts';

export const symbolPath = z.strictObject({
  symbol: z
    .string()
    .regex(SYMBOL_TEXT)
    .describe(
      "A ticker in any vendor's spelling (`BRK.B`, `brk-b`); the response has the canonical one. " +
        'A former ticker stands for the security that had it last.',
    ),
});

export const accountPath = z.strictObject({
  accountId: z.string().min(1).describe('The `id` of an account.'),
});

export const webhookPath = z.strictObject({
  id: z.string().min(1).describe('The `id` of a webhook.'),
});

const keyId = z.string().min(1).describe('The `id` of a key.');

export const keyPath = z.strictObject({ keyId });

export const accountKeyPath = accountPath.extend({ keyId });
