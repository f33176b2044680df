import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FetchedRows } from '../../src/ingest/contract/fetch-context.ts';
import { sandboxRowsAhead } from '../../src/sandbox/rows-ahead.ts';
import { sandboxRowSegments } from '../../src/sandbox/source.ts';
import { testContext } from '../ingest/support/segment-rows.ts';

const NOW = '2026-11-20T22:00:00Z';
const options = { stocks: 3, storedThroughMs: new Map<string, number>() };
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tapeworks-'));
});
afterEach(() => rm(root, { recursive: true }));

async function all(segments: AsyncIterable<FetchedRows>): Promise<FetchedRows[]> {
  const list: FetchedRows[] = [];
  for await (const segment of segments) list.push(segment);
  return list;
}

describe('rows of the sandbox from a thread', () => {
  it('are those that are made here, in the same order, with progress', async () => {
    const steps: string[] = [];
    const onProgress = (step: string, done: number, total: number) =>
      steps.push(`${step} ${done} of ${total}`);
    // The callers' contexts have functions of their own, which no thread could be sent.
    const context = { ...testContext(root, NOW), onProgress, clock: Date.now };
    const ahead = await all(sandboxRowsAhead(options, context));
    const here = await all(sandboxRowSegments(options, testContext(root, NOW)));
    expect(ahead).toEqual(here);
    expect(ahead).toHaveLength(10);
    expect(steps).toEqual(Array.from({ length: 10 }, (_, i) => `rows ${i + 1} of 10`));
  });

  it('are no longer made when nobody wants more, and leave no scratch files', async () => {
    const context = testContext(root, NOW);
    for await (const segment of sandboxRowsAhead(options, context)) {
      expect(segment.dataset).toBe('statements');
      break;
    }
    expect(await readdir(context.paths.scratch)).toEqual([]);
  });

  it('end with the reason of an abort', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    const context = { ...testContext(root, NOW), signal };
    await expect(all(sandboxRowsAhead(options, context))).rejects.toThrow(/abort/);
  });
});
