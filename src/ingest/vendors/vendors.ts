/** Every vendor: one row of `src/base/sources.ts` and the folder of its name. */

import { SOURCE_ROWS } from '../../base/sources.ts';
import type { Source, SourceCode, VendorFacts } from '../contract/source.ts';

const rows = SOURCE_ROWS.filter(({ needs }) => needs !== undefined);

export const vendors: readonly Source[] = await Promise.all(
  rows.map(async ({ id, needs }) => {
    const { vendor }: { vendor: VendorFacts } = await import(`./${id}/vendor.ts`);
    const load = async (): Promise<SourceCode> => (await import(`./${id}/source.ts`)).source;
    return { ...vendor, keyNeeded: needs === 'key', load };
  }),
);
