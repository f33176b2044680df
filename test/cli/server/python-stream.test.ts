/** The Python package follows events of a running server. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { isLong } from '../../faults/scale.ts';
import { execPython } from '../../support/python-package.ts';
import { python } from '../../support/tools.ts';
import { useCliFolder } from '../support/run-cli.ts';

const folder = useCliFolder();

it.skipIf(!isLong || !python)('yields what a publish has changed', async () => {
  const apiKey = (await folder.key('live')).headers['X-API-Key'];
  const server = await folder.start('serve');
  const program = `
import json, tapeworks
tw = tapeworks.connect("${server.document.address}", "${apiKey}")
open_one = tw._open
def opened(*args, **named):
    response = open_one(*args, **named)
    print(json.dumps("open"), flush=True)
    return response
tw._open = opened
for event in tw.stream("data.ready,quote.updated", "aapl"):
    print(json.dumps(event), flush=True)`;
  const lines = createInterface({ input: execPython(['-c', program]).stdout });
  const next = lines[Symbol.asyncIterator]();
  const line = async () => JSON.parse(String((await next.next()).value));
  expect(await line()).toBe('open');
  const file = join(folder.dataDir, 'AAPL.csv');
  const bars = '2024-01-02,10,11,9,10,100\n2024-01-03,10,11,9,10,100\n';
  writeFileSync(file, `Date,Open,High,Low,Close,Volume\n${bars}`);
  await folder.json('backfill', 'files', 'candles', file);
  const events = [await line(), await line()];
  expect(events.map(({ type }) => type).toSorted()).toEqual(['data.ready', 'quote.updated']);
  const ready = events.find(({ type }) => type === 'data.ready');
  expect(ready).toMatchObject({ data: { mode: 'live', datasets: ['candles'] } });
  expect(ready.id).toMatch(/^evt_/);
  expect(await server.stop()).toBe(0);
});
