/** A sandbox that the first `start` fills, once for all files of tests that begin with one. */

import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { madeOnce } from '../../support/made-once.ts';
import type { ParsedJson } from '../../support/parsed-json.ts';
import { type CliFolder, createCliFolder } from './run-cli.ts';

/** Lets the first `start` fill a smaller sandbox than users have, in a fraction of the time. */
export function planSandbox({ dataDir }: CliFolder, stocks: number): void {
  const { root } = modePaths(dataDir, 'sandbox');
  mkdirSync(root, { recursive: true });
  const plan = { fromDay: dayFromDate('2021-01-04'), stocks };
  writeFileSync(join(root, 'sandbox.json'), JSON.stringify(plan));
}

const made = () =>
  madeOnce('sandbox', async (home) => {
    // The files are made below: otherwise each `start` over a copy makes them, next to the test.
    const maker = createCliFolder({ TAPEWORKS_FILES: 'off' });
    planSandbox(maker, 40);
    const { document, stop } = await maker.start('start');
    await stop();
    await maker.json('files', '--mode', 'sandbox');
    cpSync(maker.dataDir, join(home, 'data'), { recursive: true });
    writeFileSync(join(home, 'document.json'), JSON.stringify(document));
    await maker.remove();
  });

/** Fills an empty folder as the first `start` does. @returns the document that it printed. */
export async function putStarted({ dataDir }: CliFolder): Promise<ParsedJson> {
  const home = await made();
  cpSync(join(home, 'data'), dataDir, { recursive: true });
  return JSON.parse(readFileSync(join(home, 'document.json'), 'utf8'));
}

/** Fills the sandbox of an empty folder, which has no key yet. */
export async function putSandbox({ dataDir }: CliFolder): Promise<void> {
  cpSync(join(await made(), 'data', 'sandbox'), join(dataDir, 'sandbox'), { recursive: true });
}
