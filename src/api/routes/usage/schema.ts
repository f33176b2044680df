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

const usageRow = z.strictObject(usageFields).meta({ id: 'UsageRow' });

export const usageSchema = z.strictObject({ data: z.array(usageRow) }).meta({ id: 'Usage' });

const accountUsageRow = z
  .strictObject({ account: z.string(), keyId: z.string(), ...usageFields })
  .meta({ id: 'AccountUsageRow' });

export const accountUsageSchema = z
  .strictObject({ data: z.array(accountUsageRow) })
  .meta({ id: 'AccountUsage' });
