import { z } from 'zod';
import type { RouteExample } from '../../contract/route.ts';
import { firstPage, onlyPage, pageSchema } from '../../responses/pages.ts';
import { dateTime } from '../../responses/schema-fields.ts';
import { SCREENER_EXAMPLE } from '../screener/schema.ts';

export const screenSchema = z
  .strictObject({
    id: z.string().regex(/^scr_[0-9a-f]{30}$/),
    name: z.string(),
    query: z.string().describe('Query of `/svc/screener`, as it was saved.'),
    createdAt: dateTime,
  })
  .meta({ id: 'SavedScreen' });

export const screenPageSchema = pageSchema('SavedScreenPage', screenSchema);

const REQUESTED = {
  name: 'Technology below 15 times earnings',
  query: 'sector=technology&pe_ratio_max=15&sort=pe_ratio&order=asc',
};

const SCREEN = {
  id: 'scr_5f0c6a1b2c3d4e5f60718293a4b5c6',
  ...REQUESTED,
  createdAt: '2026-11-18T12:00:00.000Z',
};

export const UNKNOWN_SCREEN = `No saved screen "${SCREEN.id}" in sandbox mode`;

const path = { id: SCREEN.id };

export const screensExample: RouteExample = {
  title: 'Your saved screens',
  response: onlyPage([SCREEN]),
};

export const newScreenExample: RouteExample = {
  title: 'Save a screen',
  body: REQUESTED,
  response: SCREEN,
};

export const screenExample: RouteExample = { title: 'One screen', path, response: SCREEN };

export const deletedScreenExample: RouteExample = { title: 'Delete a screen', path };

export const screenRowsExample: RouteExample = {
  title: 'The first match',
  path,
  query: { limit: '1' },
  response: firstPage([SCREENER_EXAMPLE], 71),
};
