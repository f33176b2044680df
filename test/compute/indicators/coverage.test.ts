/** An indicator without vectors, bounds, benchmark or documentation does not ship. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NPM_PEERS, npmPeer } from '../../../bench/command/peers/npm.ts';
import type { Bounds } from '../../../src/compute/columns/indicator-spec.ts';
import { defaultParams, indicatorCatalogue } from '../../../src/compute/indicators/catalogue.ts';
import { definitions } from '../support/definitions/definitions.ts';

const docs = readFileSync(new URL('../../../docs/indicators.md', import.meta.url), 'utf8');
const accuracyTable = readFileSync(new URL('../../../bench/ACCURACY.md', import.meta.url), 'utf8');

const peers = await Promise.all(NPM_PEERS.map((name) => npmPeer(name, process.cwd())));

describe.each(indicatorCatalogue.map((spec) => [spec.name, spec] as const))('%s', (name, spec) => {
  it('is defined in exact arithmetic, with a bound on its error', () => {
    expect(Object.keys(definitions)).toContain(name);
    expect(definitions[name].bound).toBeGreaterThan(0);
  });

  it('is compared with the libraries that have it: with all if it is published', () => {
    const programs = peers.filter((peer) => peer?.indicator(name, defaultParams(spec)));
    expect(accuracyTable.includes(`## ${spec.title} (`)).toBe(programs.length > 0);
    if (spec.isPublished) expect(programs).toHaveLength(peers.length);
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
    expect(chapter).toContain(String(definitions[name].bound));
    const words = chapter.replaceAll(/\s+/g, ' ');
    for (const [min, max] of Object.values(spec.bounds) as Bounds[]) {
      expect(words).toContain(
        Number.isFinite(max) ? `${min} to ${max}`.replace('-', '−') : 'below 0',
      );
    }
  });
});

it('the documentation counts the indicators', () => {
  const published = indicatorCatalogue.filter(({ isPublished }) => isPublished);
  expect(published).toHaveLength(5);
  expect(docs).toContain(`Five indicators are published`);
  expect(docs).toContain(`the other ${indicatorCatalogue.length - 5} are computed`);
});
