import { z } from 'zod';

export const expirationsSchema = z
  .strictObject({ data: z.array(z.iso.date()).describe('In ascending order.') })
  .meta({ id: 'Expirations' });
