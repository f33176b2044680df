/** An account as JSON, the same in answers and on the command line. */

import type { Account } from '../../../store/sqlite/keys/account-record.ts';

export function jsonFromAccount({ id, label, plan, createdAt, suspendedAt }: Account) {
  const { rateLimit, tokensPerDay, scopes, keyDays } = plan;
  return {
    id,
    label,
    plan: {
      rateLimit: rateLimit && { requests: rateLimit.requests, windowSeconds: rateLimit.windowS },
      tokensPerDay,
      scopes,
      keyExpiryDays: keyDays,
    },
    suspended: suspendedAt !== null,
    createdAt,
    suspendedAt,
  };
}
