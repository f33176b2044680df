import { z } from 'zod';

const count = z.int().min(0);

const usageFields = {
  day: z.iso.date().describe('In UTC.'),
  endpoint: z.string().describe('A path of this description, or `(none)`.'),
  method: z.string(),
  callCount: count,
  errorCount: count,
  tokensUsed: count,
};

export const usageRowSchema = z.strictObject(usageFields).meta({ id: 'UsageRow' });

export const usageSchema = z.strictObject({ data: z.array(usageRowSchema) }).meta({ id: 'Usage' });

export const accountUsageRowSchema = z
  .strictObject({ account: z.string(), keyId: z.string(), ...usageFields })
  .meta({ id: 'AccountUsageRow' });

export const accountUsageSchema = z
  .strictObject({ data: z.array(accountUsageRowSchema) })
  .meta({ id: 'AccountUsage' });

export const USAGE = {
  day: '2026-11-18',
  endpoint: '/svc/technical/{symbol}',
  method: 'GET',
  callCount: 12,
  errorCount: 1,
  tokensUsed: 55,
};
