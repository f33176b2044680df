/** Reports of a document, as text and as a page. */

import { describe, expect, it } from 'vitest';
import { compareRuns } from '../../../bench/command/report/compare.ts';
import { documentFromText } from '../../../bench/command/report/document.ts';
import { reportHtml } from '../../../bench/command/report/html.ts';
import { reportLines } from '../../../bench/command/report/lines.ts';
import { tablesOf } from '../../../bench/command/report/table.ts';
import { benchDocument } from './bench-document.ts';

const document = benchDocument({ ours: [2, 4, 6], theirs: [1, 3, 4], yardstick: [1] });

it('tables have medians, and ratios of peers to ours', () => {
  const [{ programs, rows }] = tablesOf(document);
  expect(programs).toEqual(['peer']);
  expect(rows[0].ours.summary.median).toBe(4);
  expect(rows[0].cells[0]).toMatchObject({ ratio: 0.75, status: 'equal', isFaster: true });
});

it('a group can be compared with the peers of another', () => {
  const groups = [{ id: 'cached', title: 'cached', unit: 'bar', peersOf: 'written' }];
  const measurements = [
    ...document.measurements,
    { task: 'cached/sma:20', program: 'tapeworks', load: '', samplesNs: [1] },
  ];
  const [{ rows }] = tablesOf({ ...document, groups, measurements });
  expect(rows[0].cells[0]?.ratio).toBe(3);
});

describe('the text', () => {
  const text = reportLines(document).join('\n');

  it('names the faster peer, the missing one and how each is driven', () => {
    expect(text).toContain('all values, sma:20: peer takes 0.75 of our time');
    expect(text).toContain('absent is missing; it is installed by: npm install absent');
    expect(text).toContain('peer 2.0.0: arrays');
  });

  it('has processor time beside the time on the wall, what the run took, and a line to quote', () => {
    const [ours, theirs] = document.measurements;
    const run = { processorMs: 1500, wallMs: 12_000, peakMegabytes: 1234, loadAtEnd: 2.5 };
    const measurements = [{ ...ours, wallNs: [5, 7, 9] }, theirs];
    const lines = reportLines({ ...document, run, measurements });
    const whole = lines.join('\n');
    expect(whole).toMatch(/ns a bar \| on the wall \|/);
    expect(whole).toMatch(/\| sma:20 +\| +4 \| +7 \|/);
    const took = '1.5 s of processor time in 12 s, at most 1,234 MB of memory, load 2.5 at its end';
    expect(whole).toContain(`this run: ${took}`);
    expect(reportHtml({ ...document, run })).toContain(took);
    expect(lines.at(-1)).toBe(
      'to quote: tapeworks 1.0.0, sma:20 (all values): 0.75 × as fast as peer 2.0.0; synthetic; ' +
        'P, 2 cores, load 0',
    );
    const checks = [{ ...document.checks[0], status: 'different' as const }];
    expect(reportLines({ ...document, checks }).at(-1)).toContain(
      'sma:20 (all values): 4 ns a bar;',
    );
  });

  it('leaves out floors and peers with other values', () => {
    const [ours, peer] = document.programs;
    const floor = { ...document, programs: [ours, { ...peer, isFloor: true }] };
    expect(reportLines(floor).join('\n')).not.toContain('of our time');
    const [check] = document.checks;
    const other = { ...document, checks: [{ ...check, status: 'different' as const }] };
    expect(reportLines(other).join('\n')).toContain('no peer is faster in any row');
    expect(reportLines(other).join('\n')).toContain('0.75 ×≠');
  });
});

describe('the page', () => {
  it('sends no request', () => {
    const page = reportHtml(document);
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(page).not.toMatch(/https?:|src=|href=|url\(|@import|<script/);
  });

  it('says that data is synthetic, and only then', () => {
    expect(reportHtml(document)).toContain('The data is synthetic');
    expect(reportHtml({ ...document, isSynthetic: false })).not.toContain('The data is synthetic');
  });

  it('draws each time with the middle half of its samples', () => {
    const page = reportHtml(document);
    expect(page.match(/<rect class="ours"/g)).toHaveLength(1);
    expect(page.match(/<path class="whisker"/g)).toHaveLength(2);
  });

  it('lists changes since an earlier run', () => {
    const earlier = benchDocument({ ours: [1, 1, 1, 1, 1], theirs: [9], yardstick: [1] });
    const now = benchDocument({ ours: [3, 3, 3, 3, 3], theirs: [9], yardstick: [1] });
    const compared = compareRuns(earlier, now);
    const page = reportHtml(now, compared);
    expect(page).toContain('1 of 2 measurements changed');
    expect(page).toContain('<td>written/sma:20 of tapeworks</td><td>slower</td><td>3 ×</td>');
  });

  it('escapes names', () => {
    const [ours, peer] = document.programs;
    const named = { ...document, programs: [ours, { ...peer, name: '<script>"&' }] };
    expect(reportHtml(named)).toContain('&lt;script&gt;&quot;&amp;');
  });
});

describe('a file for --compare', () => {
  it('is read back', () => {
    expect(documentFromText(JSON.stringify(document), 'a.json')).toEqual(document);
  });

  it.each([
    ['{', '--compare must be a file that --json wrote: "a.json" is no JSON'],
    ['null', '"a.json" has no format "tapeworks-bench" of version 1'],
    ['{"format":"tapeworks-bench","formatVersion":2}', 'has no format "tapeworks-bench"'],
    ['{"format":"tapeworks-bench","formatVersion":1}', '"a.json" has no list "measurements"'],
  ])('is refused if it is %s', (text, message) => {
    expect(() => documentFromText(text, 'a.json')).toThrow(message);
  });
});
