/** Bodies of `/svc/accounts`. The message of each field continues "<name> …, got …". */

import { z } from 'zod';
import { limits } from '../../../base/limits.ts';
import type { Plan } from '../../../store/accounts/keys/account-record.ts';
import { SCOPE_NAMES } from '../../../store/accounts/keys/scopes.ts';
import { labelField } from '../../http/body.ts';

const { requestsMax, windowMaxS, tokensMax } = limits.plan;

/** Returns the schema of a whole number. */
function countField(min: number, max: number) {
  const error = `must be an integer from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

/** Changes of a plan: absent fields keep their values, null removes a limit. */
const planBody = z
  .strictObject(
    {
      rateLimit: z
        .strictObject(
          { requests: countField(1, requestsMax), windowSeconds: countField(1, windowMaxS) },
          { error: 'must be {requests, windowSeconds} or null' },
        )
        .nullable()
        .optional(),
      tokensPerDay: countField(0, tokensMax).nullable().optional(),
      scopes: z
        .array(z.enum(SCOPE_NAMES, { error: `must be one of ${SCOPE_NAMES.join(', ')}` }), {
          error: 'must be a list of scopes or null',
        })
        .min(1, { error: 'must name at least one scope' })
        .max(SCOPE_NAMES.length, { error: 'must name each scope once' })
        .nullable()
        .optional(),
      keyExpiryDays: countField(1, limits.key.daysMax).nullable().optional(),
    },
    { error: 'must be an object' },
  )
  .meta({
    id: 'PlanChange',
    description: 'Absent fields keep their values; null removes a limit.',
  });

export const newAccountBody = z
  .strictObject({
    id: z
      .string({ error: 'must be a text' })
      .meta({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' })
      .describe('Default: a random id. An existing id gets 400.')
      .optional(),
    label: labelField,
    plan: planBody.optional(),
  })
  .meta({ id: 'NewAccount' });

export const accountChangeBody = z
  .strictObject({
    label: labelField.optional(),
    plan: planBody.optional(),
    suspended: z
      .boolean({ error: 'must be true or false' })
      .describe('Requests with keys of a suspended account get 403.')
      .optional(),
  })
  .meta({ id: 'AccountChange' });

export function planFromBody(body: z.infer<typeof planBody> | undefined): Partial<Plan> {
  if (!body) return {};
  const { rateLimit, tokensPerDay, scopes, keyExpiryDays } = body;
  const plan: Partial<Plan> = {};
  if (rateLimit !== undefined) {
    plan.rateLimit = rateLimit && {
      requests: rateLimit.requests,
      windowS: rateLimit.windowSeconds,
    };
  }
  if (tokensPerDay !== undefined) plan.tokensPerDay = tokensPerDay;
  if (scopes !== undefined) plan.scopes = scopes;
  if (keyExpiryDays !== undefined) plan.keyDays = keyExpiryDays;
  return plan;
}
