/**
 * Counts how many figures of the product are right for invented filers, whose figures are known by
 * construction.
 *
 *   node bench/statements/invented.ts [--filers 2000] [--seed 1] [--list FIGURE] [--show INDEX]
 */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { CompanyRows } from '../../src/ingest/vendors/sec/company-rows.ts';
import { setTables } from '../../test/ingest/vendors/sec/support/set-text.ts';
import { benchFolder, tableFromRows } from '../harness.ts';
import type { Truth } from './invented/filer.ts';
import { inventedFiler } from './invented/sectors.ts';
import { productRows } from './product-rows.ts';

const { values: options } = parseArgs({
  options: {
    filers: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    list: { type: 'string' },
    show: { type: 'string' },
  },
});

function figuresOf(rows: CompanyRows | undefined): Truth {
  if (!rows) return {};
  const year = <T extends { period: string; date: number }>(list: readonly T[]) =>
    list.filter(({ period }) => period === 'annual').sort((x, y) => y.date - x.date)[0];
  const { statements, balanceSheets, cashFlows } = rows;
  return Object.assign({}, year(balanceSheets), year(cashFlows), year(statements)) as never;
}

type Verdict = 'right' | 'wrong' | 'null' | 'extra' | 'none';

function verdictOf(own: number | null | undefined, truth: number | null): Verdict {
  if (truth === null) return own == null ? 'none' : 'extra';
  if (own == null) return 'null';
  return own === truth ? 'right' : 'wrong';
}

const root = benchFolder();
const count = Number(options.filers);
const filers = Array.from({ length: count }, (_, i) => inventedFiler(i, Number(options.seed)));
const folder = join(root, 'set');
mkdirSync(folder, { recursive: true });
const tables = setTables(filers.map(({ filing }) => filing));
for (const [name, text] of Object.entries(tables)) writeFileSync(join(folder, name), text);
const told = await productRows(
  root,
  folder,
  filers.map(({ filing }) => filing.cik!),
);
const counts = new Map<string, Record<Verdict, number>>();
const wrong = new Map<string, number>();
let sides = 0;
for (const [i, { sector, traits, filing, truth }] of filers.entries()) {
  const own = figuresOf(told.get(filing.cik!));
  const isShown = options.show === String(i);
  if (isShown) {
    for (const { stmt, taxonomy, tag, label, values, negating, segments, isNote } of filing.lines) {
      const amount = `${Object.values(values)}${negating ? '!' : ''}`;
      console.log(
        isNote ? 'note' : segments ? 'segment' : stmt,
        amount,
        '|',
        label,
        '|',
        taxonomy,
        tag,
      );
    }
    console.log(traits, own);
  }
  if (own.unexplainedAssets !== 0) sides++;
  for (const [figure, right] of Object.entries(truth)) {
    const verdict = verdictOf(own[figure], right);
    const row = counts.get(figure) ?? { right: 0, wrong: 0, null: 0, extra: 0, none: 0 };
    row[verdict]++;
    counts.set(figure, row);
    if (['right', 'none'].includes(verdict)) continue;
    const kind = `${figure} ${verdict} ${sector}`;
    wrong.set(kind, (wrong.get(kind) ?? 0) + 1);
    if (options.list === figure || isShown)
      console.log(verdict, i, sector, own[figure], right, traits.join('; '));
  }
}
const header = ['figure', 'right', 'wrong', 'null though shown', 'given, not shown', 'neither'];
const rows = [...counts].map(([figure, row]) => [figure, ...Object.values(row).map(String)]);
console.log(`\n${count} invented filers, ${sides} balance sheets with a gap\n`);
console.log(tableFromRows(header, rows));
console.log(
  [...wrong]
    .sort((a, b) => b[1] - a[1])
    .map(([kind, times]) => `${times} ${kind}`)
    .join('\n'),
);
rmSync(root, { recursive: true, force: true });
