/** An indicator without vectors, bounds, benchmark or documentation does not ship. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { benchParams, peers } from '../../../bench/kernels/peers.ts';
import { indicatorCatalogue } from '../../../src/compute/indicators/catalogue.ts';
import { exactIndicators } from '../support/exact-columns.ts';
import { accuracy } from '../support/worst-error.ts';

const docs = readFileSync(new URL('../../../docs/indicators.md', import.meta.url), 'utf8');
const accuracyTable = readFileSync(new URL('../../../bench/ACCURACY.md', import.meta.url), 'utf8');

describe.each(indicatorCatalogue.map((spec) => [spec.name, spec] as const))('%s', (name, spec) => {
  it('is defined in exact arithmetic, with a bound on its error', () => {
    expect(Object.keys(exactIndicators)).toContain(name);
    expect(accuracy[name].bound).toBeGreaterThan(0);
  });

  it('is benchmarked against every library', () => {
    expect(Object.keys(benchParams)).toContain(name);
    for (const peer of peers) expect(Object.keys(peer.kernels)).toContain(name);
    expect(accuracyTable).toContain(`## ${spec.title} (`);
  });

  it('has a chapter in the documentation with its parameters, outputs and bound', () => {
    const chapter = docs.split(/^## /m).find((text) => text.startsWith(`${spec.title}\n`)) ?? '';
    const form = [name, ...spec.params.map((param) => param.name)].join(':');
    expect(chapter).toContain(`\`${form}\``);
    for (const param of spec.params) {
      expect(chapter).toContain(
        `| \`${param.name}\` | ${param.default} | ${param.min} to ${param.max} |`,
      );
    }
    for (const output of spec.outputs) expect(chapter).toContain(`\`${output}\``);
    expect(chapter).toContain(String(accuracy[name].bound));
  });
});
