import { z } from 'zod';
import { pageSchema } from '../../responses/pages.ts';
import { dateTime } from '../../responses/schema-fields.ts';

export const screenSchema = z
  .strictObject({
    id: z.string().regex(/^scr_[0-9a-f]{30}$/),
    name: z.string(),
    query: z.string().describe('Query of `/svc/screener`, as it was saved.'),
    createdAt: dateTime,
  })
  .meta({ id: 'SavedScreen' });

export const screenPageSchema = pageSchema('SavedScreenPage', screenSchema);

export const REQUESTED = {
  name: 'Technology below 15 times earnings',
  query: 'sector=technology&pe_ratio_max=15&sort=pe_ratio&order=asc',
};

export const SCREEN = {
  id: 'scr_5f0c6a1b2c3d4e5f60718293a4b5c6',
  ...REQUESTED,
  createdAt: '2026-11-18T12:00:00.000Z',
};

export const UNKNOWN_SCREEN = `No saved screen "${SCREEN.id}" in sandbox mode`;
