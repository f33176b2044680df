import { z } from 'zod';
import type { RouteExample } from '../../contract/route.ts';

export const expirationsSchema = z
  .strictObject({ data: z.array(z.iso.date()).describe('In ascending order.') })
  .meta({ id: 'Expirations' });

export const expirationsExample: RouteExample = {
  title: 'Upcoming expirations',
  path: { symbol: 'QXAA' },
  response: { data: ['2026-11-20', '2026-12-18', '2027-01-15'] },
  csv: 'date\r\n2026-11-20\r\n2026-12-18\r\n2027-01-15\r\n',
};
