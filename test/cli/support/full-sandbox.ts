/** A whole sandbox, filled once for all files of tests that begin with it. */

import { cpSync } from 'node:fs';
import { madeOnce } from '../../support/made-once.ts';
import { type CliFolder, createCliFolder } from './run-cli.ts';

/** Fills an empty folder as the first `start` does; it has no key yet. */
export async function putSandbox({ dataDir }: CliFolder): Promise<void> {
  const made = await madeOnce('sandbox', async (home) => {
    const maker = createCliFolder({ TAPEWORKS_DATA_DIR: home });
    await maker.json('backfill', 'sandbox');
    await maker.remove();
  });
  cpSync(made, dataDir, { recursive: true });
}
