/** `tapeworks bench`, on sizes that only check results. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BenchDocument } from '../../../bench/command/report/document.ts';
import { isLong } from '../../faults/scale.ts';
import { long } from '../../support/store-runs.ts';
import { python } from '../../support/tools.ts';
import { createCliFolder, useCliFolder } from '../support/run-cli.ts';

const folder = useCliFolder();
const page = readFileSync(new URL('../../../docs/cli/bench.md', import.meta.url), 'utf8');

/** The example of the page in a language. */
function example(language: string): string {
  const [, text] = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'm').exec(page) ?? [];
  return text;
}

const small = ['bench', 'indicators', '--quick', '--symbols', '9', '--bars', '200'];
const tiny = [...small, '--rounds', '1'];

describe('bench indicators', () => {
  it('measures four ways, checks peers, and says that data is synthetic', async () => {
    const document: BenchDocument = await folder.json(
      ...tiny,
      '--even',
      ...['--indicators', 'sma:20,rsi'],
    );
    expect(document).toMatchObject({ format: 'tapeworks-bench', isSynthetic: true });
    expect(document.run?.peakMegabytes).toBeGreaterThan(50);
    expect(document.data).toBe('synthetic daily bars (random walks): 1,800 bars of 9 symbols');
    const ours = document.measurements.filter(({ program }) => program === 'tapeworks');
    expect(ours.map(({ task }) => task)).toEqual(
      ['sma:20', 'rsi', 'all'].flatMap((item) =>
        ['cached', 'written', 'last', 'next'].map((mode) => `${mode}/${item}`),
      ),
    );
    for (const { samplesNs } of document.measurements) expect(samplesNs).toHaveLength(1);
    expect(document.checks).toContainEqual({
      item: 'rsi',
      program: 'technicalindicators',
      status: 'different',
      detail: 'rounded to 2 decimals',
    });
  });

  it('lists peers that are missing, and exits 0', async () => {
    const { missing, programs }: BenchDocument = await folder.json(
      ...[...tiny, '--indicators', 'sma', '--peers', 'TA-Lib,indicatorts'],
    );
    expect(programs.map(({ name }) => name)).toEqual(['tapeworks', 'indicatorts']);
    expect(missing).toEqual([
      {
        name: 'TA-Lib',
        install:
          'python3 -m venv .venv && .venv/bin/pip install TA-Lib, then --python .venv/bin/python',
      },
    ]);
  });

  it('adds the peer of the module that the page shows', async () => {
    const path = join(folder.dataDir, 'plain.mjs');
    writeFileSync(path, example('js'));
    const document: BenchDocument = await folder.json(
      ...[...tiny, '--indicators', 'sma:20,ema', '--peers', 'indicatorts', '--peer', path],
    );
    expect(document.programs.at(-1)).toEqual({
      name: 'plain loops',
      version: '1.0.0',
      driven: 'a loop a symbol over plain arrays',
    });
    expect(document.checks).toContainEqual({
      item: 'sma:20',
      program: 'plain loops',
      status: 'equal',
      detail: '',
    });
    const tasks = document.measurements.filter(({ program }) => program === 'plain loops');
    expect(tasks.map(({ task }) => task)).toEqual(['written/sma:20', 'next/sma:20']);
  });

  it.skipIf(!isLong || !python)('adds the peer of the command that the page shows', async () => {
    const path = join(folder.dataDir, 'sma.py');
    writeFileSync(path, example('python'));
    const command = `"${python}" "${path}"`;
    const document: BenchDocument = await folder.json(
      ...[...tiny, '--indicators', 'sma:20,ema', '--peers', 'indicatorts'],
      ...['--peer-command', command],
    );
    expect(document.checks).toContainEqual({
      item: 'sma:20',
      program: command,
      status: 'equal',
      detail: '',
    });
    const tasks = document.measurements.filter(({ program }) => program === command);
    expect(tasks.map(({ task }) => task)).toEqual(['written/sma:20']);
  });

  it.each([
    [['--indicators', 'smma'], 'indicators has no "smma"; did you mean sma?'],
    [['--indicators', 'sma', '--peers', 'trading-signal'], 'did you mean trading-signals?'],
    [['--indicators', 'sma', '--peer', 'no.mjs'], '--peer must be a file, "no.mjs"'],
    [['--indicators', 'sma', '--peer-command', 'no-such-program'], `can't be started`],
    [['--indicators', 'sma', '--data', 'no-such-folder'], '--data must be a file or a folder'],
    [['--indicators', 'sma', '--compare', 'no.json'], `--compare can't read "no.json"`],
    [['--symbols', '0'], '--symbols must be a whole number from 1 to 20000, got "0"'],
  ])('is wrong usage with %j', async (args, message) => {
    const { code, stdout, stderr } = await folder.run(...tiny, ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  it('says in one line why own bars can not be read', async () => {
    const { code, stderr } = await folder.run(...tiny, '--data', 'package.json');
    expect([code, stderr.trim().split('\n').length]).toEqual([1, 1]);
    expect(stderr).toMatch(/^tapeworks: .*package\.json/);
  });
});

describe('a comparison', () => {
  const other = createCliFolder();
  const path = (name: string) => join(other.dataDir, name);
  const args = [...small, '--rounds', '5', '--indicators', 'sma:20', '--peers', 'indicatorts'];
  let before: BenchDocument;

  beforeAll(async () => {
    const { code, stdout } = await other.run(
      ...[...args, '--json', path('before.json'), '--report', path('report.html')],
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining('all samples as JSON')]);
    before = JSON.parse(readFileSync(path('before.json'), 'utf8'));
  });
  afterAll(() => other.remove());

  /** Writes an earlier run in which all work took another time. */
  function writeEarlier(factor: number): string {
    const measurements = before.measurements.map((one) => ({
      ...one,
      samplesNs: one.samplesNs.map((ns) => ns * factor),
    }));
    const name = path(`${factor}.json`);
    writeFileSync(name, JSON.stringify({ ...before, measurements }));
    return name;
  }

  it('exits 1 after a regression, and names it', async () => {
    const { code, stdout } = await other.run(...args, '--compare', writeEarlier(0.001));
    expect(stdout).toContain('tapeworks has regressed');
    expect(stdout).toMatch(/written\/sma:20 of tapeworks +\| +slower/);
    expect(code).toBe(1);
  });

  it('takes only runs of the same bench', async () => {
    writeFileSync(path('other.json'), JSON.stringify({ ...before, bench: 'serving' }));
    const { code, stderr } = await other.run(...args, '--compare', path('other.json'));
    expect(code).toBe(2);
    expect(stderr).toContain('--compare must be of bench indicators');
  });

  it('leaves a page that shows both peers', () => {
    const html = readFileSync(path('report.html'), 'utf8');
    expect(html).toContain('indicatorts');
    expect(html).toContain('The data is synthetic');
    expect(html).not.toMatch(/https?:|src=|href=/);
  });
});

describe('bench screens', () => {
  it('finds the symbols that DuckDB finds, and runs own screens', async () => {
    const document: BenchDocument = await folder.json(
      ...['bench', 'screens', '--rounds', '1', '--symbols', '40', '--bars', '420'],
      ...['--where', 'close > sma(20)'],
    );
    const items = ['oversold', 'golden cross', 'breakout', 'back in band'];
    expect(document.checks).toEqual(
      items.map((item) => ({ item, program: 'DuckDB', status: 'equal', detail: '' })),
    );
    const own = document.measurements.filter(({ task }) => task.endsWith('/close > sma(20)'));
    expect(own.map(({ task, program }) => [task.split('/')[0], program])).toEqual(
      ['memory', 'cache', 'past'].map((group) => [group, 'tapeworks']),
    );
    expect(document.missing.map(({ name }) => name)).toEqual(['polars + polars-talib']);
  });

  it('is wrong usage with a wrong expression', async () => {
    const { code, stderr } = await folder.run(
      ...['bench', 'screens', '--rounds', '1', '--symbols', '4', '--bars', '320'],
      ...['--where', 'close > smaa(20)'],
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining('sma')]);
  });
});

describe('bench backfill', () => {
  long('loads all rows, and so does DuckDB', async () => {
    const document: BenchDocument = await folder.json(
      ...['bench', 'backfill', '--rounds', '1', '--symbols', '3', '--bars', '50'],
    );
    expect(document.data).toBe(
      'synthetic daily bars (random walks): 150 bars of 3 symbols, a CSV file each, 150 rows',
    );
    expect(document.checks.map(({ program, status }) => [program, status])).toEqual([
      ['DuckDB', 'equal'],
    ]);
    for (const { samplesNs } of document.measurements) expect(samplesNs).toHaveLength(1);
  });

  it('takes no bounds for own files', async () => {
    const { code, stderr } = await folder.run('bench', 'backfill', '--data', '.', '--bars', '5');
    expect([code, stderr]).toEqual([2, expect.stringContaining('leave out --symbols and --bars')]);
  });
});
