/** A document as one HTML page that sends no request. */

import { escaped } from '../../../src/api/responses/html-page.ts';
import { machineLine } from '../measure/machine.ts';
import { type Summary, spreadOf } from '../measure/summary.ts';
import { CHANGE_HEADER, COMPARE_RULE, type ComparedRuns, changeRows } from './compare.ts';
import { type BenchDocument, OURS } from './document.ts';
import { MARKS, runText } from './lines.ts';
import { type Row, type Table, tablesOf } from './table.ts';
import { readable } from './text.ts';

const STYLE = `
body{font:15px/1.5 system-ui,sans-serif;max-width:1100px;margin:2rem auto;padding:0 1rem;color:#1d2329}
table{border-collapse:collapse;margin:1rem 0;font-variant-numeric:tabular-nums}
th,td{padding:.2rem .6rem;border-bottom:1px solid #d8dde2;text-align:right;vertical-align:top}
th:first-child,td:first-child{text-align:left}
.scroll{overflow-x:auto}
.texts td{text-align:left}
.behind{color:#a02020}
.notice{background:#fff4d6;padding:.5rem 1rem}
svg{display:block;max-width:100%;font:12px system-ui,sans-serif}
.ours{fill:#1f6feb}.theirs{fill:#9aa4ae}.whisker{stroke:#1d2329;fill:none}
details{margin:.5rem 0}summary{cursor:pointer}
`;

export function reportHtml(document: BenchDocument, compared?: ComparedRuns): string {
  const { bench, startedAt, machine, run, data, isSynthetic, programs, missing, checks, rules } =
    document;
  const title = `tapeworks bench ${bench}`;
  const notice = isSynthetic
    ? '<p class="notice">The data is synthetic: random numbers, no market.</p>'
    : '';
  const parts = [
    `<h1>${escaped(title)}</h1>`,
    notice,
    textTable(
      ['', ''],
      [
        ['started', startedAt],
        ['data', data],
        ['machine', machineLine(machine)],
        ['tapeworks', machine.tapeworks],
        ...(run ? [['this run', runText(run)]] : []),
      ],
    ),
    compared ? comparedHtml(compared) : '',
    ...tablesOf(document).map(groupHtml),
    '<h2>How it was measured</h2>',
    list(rules),
    textTable(
      ['program', 'version', 'how it is driven'],
      programs.map(({ name, version, driven }) => [name, version, driven]),
    ),
    missing.length === 0
      ? ''
      : textTable(
          ['missing peer', 'command that installs it'],
          missing.map(({ name, install }) => [name, install]),
        ),
    checks.length === 0 ? '' : '<h2>Equality of values</h2>',
    checks.length === 0
      ? ''
      : textTable(
          ['item', 'program', 'status', 'difference'],
          checks.map(({ item, program, status, detail }) => [item, program, status, detail]),
        ),
  ];
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)}</title>` +
    `<style>${STYLE}</style></head><body>${parts.join('\n')}</body></html>\n`
  );
}

function groupHtml({ group, time, programs, rows }: Table): string {
  const unit = `${time.name} a ${group.unit}`;
  const header = ['', unit, 'spread', 'measured over', ...programs];
  const cells = rows.map(({ item, ours, cells }) => [
    escaped(item),
    readable(ours.summary.median / time.ns),
    spreadText(ours.summary),
    escaped(ours.load),
    ...cells.map((cell) => {
      if (!cell) return '–';
      const text = `${readable(cell.ratio)} × ${MARKS[cell.status ?? 'equal']}`;
      const hint = `${readable(cell.summary.median / time.ns)} ${time.name}, ${spreadText(cell.summary)}, ${cell.load}`;
      const kind = cell.isFaster ? ' class="behind"' : '';
      return `<span${kind} title="${escaped(hint)}">${text}</span>`;
    }),
  ]);
  const charts = rows.map(
    (row) =>
      `<h3>${escaped(row.item)}</h3>${barChart(`${group.title}, ${row.item}`, unit, barsOf(row, time.ns))}`,
  );
  const shown = `<details${rows.length <= 6 ? ' open' : ''}><summary>Charts with spread</summary>${charts.join('')}</details>`;
  return (
    `<h2>${escaped(group.title)}</h2>` +
    `<p>Median times of tapeworks, and those of peers as multiples of them. ~ settles, ≠ differs.</p>` +
    `<div class="scroll">${table(header.map(escaped), cells, '')}</div>${shown}`
  );
}

/** @param ns Length of the unit in which times are shown. */
function barsOf({ ours, cells }: Row, ns: number): ChartBar[] {
  const barOf = (label: string, { median, lowerQuartile, upperQuartile }: Summary): ChartBar => ({
    label,
    value: median / ns,
    low: lowerQuartile / ns,
    high: upperQuartile / ns,
    isOurs: label === OURS,
  });
  const theirs = cells.flatMap((cell) => (cell ? [barOf(cell.program, cell.summary)] : []));
  return [barOf(OURS, ours.summary), ...theirs].toSorted((a, b) => a.value - b.value);
}

function spreadText(summary: Summary): string {
  return `± ${readable(100 * spreadOf(summary))} %`;
}

function comparedHtml({ changes, unmatched, remarks }: ComparedRuns): string {
  const rows = changeRows(changes);
  return (
    '<h2>Changes since the earlier run</h2>' +
    `<p>Rule: ${escaped(COMPARE_RULE)}. ${rows.length} of ${changes.length} measurements changed.</p>` +
    (rows.length > 0 ? textTable(CHANGE_HEADER, rows) : '') +
    list([...remarks, ...unmatched])
  );
}

function list(texts: readonly string[]): string {
  if (texts.length === 0) return '';
  return `<ul>${texts.map((text) => `<li>${escaped(text)}</li>`).join('')}</ul>`;
}

function textTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return table(
    header.map(escaped),
    rows.map((row) => row.map(escaped)),
    'texts',
  );
}

/** @param rows Cells as HTML. */
function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  kind: string,
): string {
  const head = header.map((cell) => `<th>${cell}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`);
  return `<table class="${kind}"><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table>`;
}

interface ChartBar {
  label: string;
  /** Length of the bar; the whisker goes from `low` to `high`. */
  value: number;
  low: number;
  high: number;
  isOurs: boolean;
}

const WIDTH = 760;
const LABEL_WIDTH = 240;
const VALUE_WIDTH = 140;
const ROW_HEIGHT = 20;
const BAR_HEIGHT = 12;

/** Draws horizontal bars from zero, in the order given, with a whisker over the middle half. */
function barChart(title: string, unit: string, bars: readonly ChartBar[]): string {
  const most = Math.max(...bars.map(({ high, value }) => Math.max(high, value)));
  const plotWidth = WIDTH - LABEL_WIDTH - VALUE_WIDTH;
  const x = (value: number) => round(LABEL_WIDTH + (value / most) * plotWidth);
  const height = bars.length * ROW_HEIGHT + 6;
  const rows = bars.map(({ label, value, low, high, isOurs }, i) => {
    const y = i * ROW_HEIGHT + 4;
    const middle = y + BAR_HEIGHT / 2;
    const kind = isOurs ? 'ours' : 'theirs';
    return (
      `<text x="${LABEL_WIDTH - 8}" y="${y + 10}" text-anchor="end">${escaped(label)}</text>` +
      `<rect class="${kind}" x="${LABEL_WIDTH}" y="${y}" width="${round(x(value) - LABEL_WIDTH)}" height="${BAR_HEIGHT}"/>` +
      `<path class="whisker" d="M${x(low)} ${middle}H${x(high)}M${x(low)} ${middle - 4}v8M${x(high)} ${middle - 4}v8"/>` +
      `<text x="${round(x(Math.max(value, high)) + 6)}" y="${y + 10}">${readable(value)} ${escaped(unit)}</text>`
    );
  });
  return (
    `<svg viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" ` +
    `aria-label="${escaped(title)}">${rows.join('')}</svg>`
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
