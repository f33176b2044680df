/** A document of two peers and one task. */

import type { BenchDocument } from '../../../bench/command/report/document.ts';

export function benchDocument({
  ours,
  theirs,
  yardstick,
}: Record<'ours' | 'theirs' | 'yardstick', readonly number[]>): BenchDocument {
  const task = 'written/sma:20';
  return {
    format: 'tapeworks-bench',
    formatVersion: 1,
    bench: 'indicators',
    startedAt: '2026-01-05T00:00:00.000Z',
    data: 'synthetic',
    isSynthetic: true,
    machine: {
      processor: 'P',
      cores: 2,
      memoryGiB: 4,
      platform: 'linux-x64',
      node: 'v26.0.0',
      tapeworks: '1.0.0',
      load: 0,
    },
    rules: ['one thread'],
    programs: [
      { name: 'tapeworks', version: '1.0.0', driven: 'columns' },
      { name: 'peer', version: '2.0.0', driven: 'arrays' },
    ],
    missing: [{ name: 'absent', install: 'npm install absent' }],
    groups: [{ id: 'written', title: 'all values', unit: 'bar' }],
    checks: [{ item: 'sma:20', program: 'peer', status: 'equal', detail: '' }],
    measurements: [
      { task, program: 'tapeworks', load: '10 symbols', samplesNs: ours },
      { task, program: 'peer', load: '1 symbol', samplesNs: theirs },
    ],
    yardstickNs: yardstick,
  };
}
