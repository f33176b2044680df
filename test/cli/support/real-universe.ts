/** A real universe, loaded and published once for all files of tests that begin with it. */

import { cpSync } from 'node:fs';
import { madeOnce } from '../../support/made-once.ts';
import { realdata } from '../../support/realdata.ts';
import { type CliFolder, createCliFolder } from './run-cli.ts';

export const UNIVERSE_ZIP = realdata('daily/universe_2017.zip');

/** Fills an empty folder as `backfill files candles` of `UNIVERSE_ZIP` does. */
export async function putRealUniverse({ dataDir }: CliFolder): Promise<void> {
  const made = await madeOnce('real universe', async (home) => {
    const maker = createCliFolder({ TAPEWORKS_DATA_DIR: home });
    await maker.json('backfill', 'files', 'candles', UNIVERSE_ZIP);
    await maker.remove();
  });
  cpSync(made, dataDir, { recursive: true });
}
