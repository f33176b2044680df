/** A real universe, loaded and published once for all files of tests that begin with it. */

import { cpSync } from 'node:fs';
import { madeOnce } from '../../support/made-once.ts';
import { realdata } from '../../support/realdata.ts';
import { type CliFolder, createCliFolder } from './run-cli.ts';

export const UNIVERSE_ZIP = realdata('daily/universe_2017.zip');

/**
 * Loads the universe. Inuvo's prices of 2010 are in two units (2.80, then 0.29), so they are held.
 */
export const UNIVERSE_LOAD = ['backfill', 'files', 'candles', UNIVERSE_ZIP, '--accept', 'INUV'];

/** Fills an empty folder as `UNIVERSE_LOAD` does. */
export async function putRealUniverse({ dataDir }: CliFolder): Promise<void> {
  const made = await madeOnce('real universe', async (home) => {
    const maker = createCliFolder({ TAPEWORKS_DATA_DIR: home });
    await maker.json(...UNIVERSE_LOAD);
    await maker.remove();
  });
  cpSync(made, dataDir, { recursive: true });
}
