/** Stands in for vendors: one that refuses, has nothing, ends early, or answers something else. */

import { hash } from 'node:crypto';
import { join } from 'node:path';
import {
  RateLimitedError,
  SourceEmptyError,
  SubscriptionNeededError,
} from '../../../src/base/errors.ts';
import { writePieces } from '../../../src/cli/files/write-pieces.ts';
import type { FetchContext, Fetched } from '../../../src/ingest/contract/fetch-context.ts';
import type { Source } from '../../../src/ingest/contract/source.ts';
import type { SourceOptions } from '../../../src/ingest/contract/source-options.ts';
import { placeFile } from '../../../src/ingest/segments/place-file.ts';
import { ObjectStoreError } from '../../../src/store/objects/object-store.ts';
import { simulation } from '../simulation.ts';
import { randomUUID } from './chance.ts';
import { outsideOfNight, step } from './work.ts';

export * from '../../../src/ingest/sources/sources.ts';

const PAGES = 2;
const PAUSE_MS = 700;

export function sourceNamed(_id: string): Pick<Source, 'load'> {
  return { load: async () => ({ fetch: fetchPages }) };
}

/** Gives a segment for each page. A task is named by its only symbol. */
async function* fetchPages(
  { symbols: [task] = [], tickersByCik }: SourceOptions,
  context: FetchContext,
): AsyncGenerator<Fetched> {
  const now = simulation();
  await step(`ask for ${task}`);
  const { asked, shared } = outsideOfNight();
  if (shared.tickersByCik && !tickersByCik) {
    now.violate('what was acknowledged is there', `${task} lacks what its run shares`);
  }
  asked.set(task, (asked.get(task) ?? 0) + 1);
  if (now.happens('refused task')) {
    throw new RateLimitedError(PAUSE_MS, 'the vendor answers 429');
  }
  if (now.happens('no answer')) {
    throw new ObjectStoreError('the vendor does not answer', { isPassing: true });
  }
  if (now.happens('no subscription')) throw new SubscriptionNeededError('the vendor answers 403');
  if (now.happens('nothing')) {
    answered(task, []);
    throw new SourceEmptyError('the vendor has nothing');
  }
  const ids: string[] = [];
  const content = now.happens('changed history') ? now.chance.below(1000) : 0;
  for (let page = 0; page < PAGES; page++) {
    if (page > 0) {
      await step(`ask for page ${page} of ${task}`);
      if (now.happens('short page')) break;
    }
    const segment = await land(`${task} ${page} ${content}`, context);
    ids.push(segment.id);
    yield segment;
  }
  answered(task, ids);
}

function answered(task: string, ids: string[]): void {
  const { answers } = outsideOfNight();
  answers.set(task, [...(answers.get(task) ?? []), { ids, atMs: simulation().nowMs }]);
}

async function land(text: string, { paths, signal, nowMs }: FetchContext) {
  const bytes = Buffer.from(text);
  const id = hash('sha256', bytes);
  const parquetPath = join(paths.segments, `${id}.parquet`);
  // Of this try alone, as the scratch folders of the program's sources are.
  const unfinished = `${parquetPath}.${randomUUID()}.unfinished`;
  await writePieces(unfinished, [bytes], signal ?? new AbortController().signal);
  await placeFile(unfinished, parquetPath);
  return {
    ...{ id, parquetSha256: id, parquetPath, kind: 'parquet', dataset: 'news', source: 'yahoo' },
    ...{ asOfUs: BigInt(nowMs) * 1000n, origin: text, accepted: 1, rejected: 0 },
    ...{ skipped: [], rejectedByReason: new Map() },
  } as const satisfies Fetched;
}
