/** Statements of a company as a table and as bars, as they were known on a day. */

import { useState } from 'preact/hooks';
import type { IncomeStatements } from '../../../clients/typescript/operations.js';
import { AddButton } from '../fill/open.ts';
import { axisTicks } from '../parts/axis-ticks.ts';
import { STATEMENTS, type StatementLine } from '../parts/datasets.ts';
import { html } from '../parts/html.ts';
import { axisText, compactText, percentText, priceText } from '../parts/numbers.ts';
import { FailureBox, Skeleton, StateBox } from '../parts/states.ts';
import { dayText, monthText } from '../parts/times.ts';
import { address, addressValue, amend } from '../state/address.ts';
import { isLive } from '../state/key.ts';
import { getJson } from '../state/request.ts';
import { useStore } from '../state/store.ts';
import { useRequest } from '../state/use-request.ts';
import { FigureDialog } from './figure-dialog.ts';

/** Two figures by period as bars beside each other, drawn by the style sheet. */
interface BarFigure {
  name: string;
  /** In US dollars, one a period; null is unknown. */
  values: readonly (number | null)[];
}

interface BarsProps {
  /** Labels, the oldest first. */
  periods: readonly string[];
  figures: readonly [BarFigure, BarFigure];
  /** Unit and kind of the periods, for the caption. */
  unit: string;
}

function PeriodBars({ periods, figures, unit }: BarsProps) {
  const known = figures.flatMap(({ values }) => values.filter((value) => value !== null));
  const ticks = axisTicks(known);
  const low = ticks[0];
  const span = ticks[ticks.length - 1] - low;
  const share = (value: number) => `${((value / span) * 100).toFixed(2)}%`;
  const bar = (value: number | null, i: number) =>
    value !== null &&
    html`<span key=${i} class=${`bar bar-${i}`} title=${`${figures[i].name}: ${compactText(value)} USD`}
      style=${{ bottom: share(Math.min(0, value) - low), height: share(Math.abs(value)) }} />`;
  const names = figures.map(({ name }) => name);
  return html`<figure class="bars">
    <figcaption>${names.map(
      (name, i) =>
        html`<span key=${name} class="legend-value"><span class=${`swatch square bar-${i}`} />${name}</span>`,
    )}<span class="quiet">${unit}</span></figcaption>
    <div class="plot" role="img" aria-label=${`${names.join(' and ')} by period; the table has the figures`}>
      ${ticks.map(
        (
          tick,
        ) => html`<span key=${tick} class=${tick === 0 ? 'tick zero' : 'tick'} style=${{ bottom: share(tick - low) }}>
          <span class="tick-text">${axisText(tick)}</span></span>`,
      )}
      <div class="plot-periods">${periods.map(
        (period, at) => html`<div key=${period} class="plot-period">
          ${figures.map(({ values }, i) => bar(values[at], i))}
          <span class="plot-label">${period}</span>
        </div>`,
      )}</div>
    </div>
  </figure>`;
}

const PERIODS = ['annual', 'quarterly', 'semiannual', 'ttm'] as const;
const PERIOD_TEXTS = {
  annual: 'Annual',
  quarterly: 'Quarterly',
  semiannual: 'Half years',
  ttm: '12 months',
};
const SHOWN = 8;

type Statement = (typeof STATEMENTS)[number];

/** Returns the name of a statement in addresses: `balance` of the balance sheet. */
function kindOf({ title }: Statement): string {
  return title.split(' ')[0].toLowerCase();
}

type Row = Record<string, number | string | null>;

/** Ratios follow from statements, which decide whether a company has any. */
const datasetOf = (noun: string) => (noun === 'ratios' ? 'statements' : noun);

function amountText(value: number | null, { isPerShare, isFraction, isPlain }: StatementLine) {
  if (value === null) return '–';
  if (isFraction) return percentText(value * 100);
  const size = isPerShare || isPlain ? priceText(Math.abs(value)) : compactText(Math.abs(value));
  return value < 0 ? `−${size}` : size;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

interface StatementsProps {
  symbol: string;
  /** Returns undefined until the datasets of the symbol are known. */
  has: (dataset: string) => boolean | undefined;
}

export function Statements({ symbol, has }: StatementsProps) {
  useStore(address);
  const statement =
    STATEMENTS.find((one) => kindOf(one) === addressValue('statement')) ?? STATEMENTS[0];
  const period = PERIODS.find((one) => one === addressValue('period')) ?? 'annual';
  const asOfText = addressValue('as_of') ?? '';
  const asOf = DAY.test(asOfText) ? asOfText : undefined;
  const { noun, title } = statement;
  const query = { period, limit: SHOWN, as_of: asOf };
  const path = `v1/svc/fundamentals/${encodeURIComponent(symbol)}/${noun}`;
  const requested = useRequest(
    `${symbol} ${noun}`,
    has(datasetOf(noun)) ? JSON.stringify([symbol, noun, query]) : undefined,
    (signal) => getJson<IncomeStatements>(path, query, signal),
  );
  const { value, failure, retry, isLoading } = requested;
  const rows = value?.data as unknown as Row[] | undefined;
  const body = () => {
    if (failure)
      return html`<${FailureBox} failure=${failure} retry=${retry} subject="the statements" />`;
    if (has(datasetOf(noun)) === false) return html`<${NoStatements} symbol=${symbol} />`;
    if (!rows) return html`<${Skeleton} label="the statements" lines=${8} />`;
    if (rows.length === 0) return html`<${NoStatements} symbol=${symbol} asOf=${asOf} />`;
    return html`<${Bars} statement=${statement} rows=${rows} period=${period} /><${Table} statement=${statement} rows=${rows} period=${period} symbol=${symbol} query=${query} />`;
  };
  const choice = (
    name: string,
    label: string,
    chosen: string,
    options: readonly (readonly [string, string])[],
  ) =>
    html`<div class="segments" role="group" aria-label=${label}>${options.map(
      ([one, text]) => html`<button type="button" key=${one} aria-pressed=${one === chosen}
        onClick=${() => amend({ [name]: one })}>${text}</button>`,
    )}</div>`;
  return html`<section class="panel" aria-labelledby="statements-title" aria-busy=${isLoading}>
    <header class="panel-head">
      <h2 id="statements-title">${title}</h2>
      ${choice(
        'statement',
        'Statement',
        kindOf(statement),
        STATEMENTS.map((one) => [kindOf(one), one.title] as const),
      )}
      ${choice(
        'period',
        'Period',
        period,
        PERIODS.map((one) => [one, PERIOD_TEXTS[one]] as const),
      )}
      <label class="as-of">As known on
        <input type="date" value=${asOf ?? ''} onChange=${(event: Event) =>
          amend({ as_of: (event.target as HTMLInputElement).value || undefined })} />
      </label>
    </header>
    ${
      asOf &&
      html`<p class="as-of-note">Figures as they were known at the end of ${dayText(asOf)} in New York,
        without later filings and restatements.
        <button type="button" onClick=${() => amend({ as_of: undefined })}>Show today's</button></p>`
    }
    ${body()}
  </section>`;
}

function NoStatements({ symbol, asOf }: { symbol: string; asOf?: string | undefined }) {
  if (asOf) {
    return html`<${StateBox} title=${`No statements were known on ${dayText(asOf)}`}>
      <p>Choose a later day.</p>
    <//>`;
  }
  return html`<${StateBox} title=${`${symbol} has no statements`}>
    <p>Funds file none.</p>
    ${
      isLive() &&
      html`<p>For a company, load them from the SEC:${' '}
        <${AddButton} symbol=${symbol} source="sec" label="Load statements" /></p>`
    }
  <//>`;
}

interface RowsProps {
  statement: Statement;
  rows: readonly Row[];
  period: string;
}

function exactText(value: number | null, { isFraction, isPlain }: StatementLine): string {
  if (value === null) return 'Unknown';
  return `${value.toLocaleString('en-US')}${isFraction || isPlain ? '' : ' USD'}`;
}

/** Fiscal years end in any month, so a year alone would be ambiguous. */
function periodText(row: Row): string {
  return monthText(String(row.date));
}

interface TableProps extends RowsProps {
  symbol: string;
  query: Readonly<Record<string, string | number | undefined>>;
}

function Table({ statement, rows, period, symbol, query }: TableProps) {
  const { lines, title, noun } = statement;
  const [asked, ask] = useState<{ line: StatementLine; row: Row }>();
  const isExplained = noun !== 'ratios';
  const head = rows.map(
    (row) => html`<th scope="col" key=${row.date} title=${dayText(String(row.date))}>
    ${periodText(row)}</th>`,
  );
  const body = lines.map(
    (line) => html`<tr key=${line.field} class=${line.isSum ? 'sum' : ''}>
      <th scope="row">${line.title}${line.isPerShare && html` <span class="quiet">USD</span>`}</th>
      ${rows.map((row) => {
        const value = row[line.field] as number | null;
        return html`<td key=${row.date} class=${value !== null && value < 0 ? 'down' : ''}
          title=${exactText(value, line)}>
          ${
            isExplained
              ? html`<button type="button" class="plain figure-button" aria-haspopup="dialog"
                aria-label=${`${line.title}, ${periodText(row)}: ${amountText(value, line)}`}
                onClick=${() => ask({ line, row })}>${amountText(value, line)}</button>`
              : amountText(value, line)
          }</td>`;
      })}
    </tr>`,
  );
  return html`<div class="table-box plain-box" tabIndex=${0} role="region" aria-label=${`${title} as a table`}>
    <table class="data">
      <caption class="unseen">${title}, ${PERIOD_TEXTS[period as 'annual']}, in US dollars</caption>
      <thead><tr><th scope="col" class="text">USD, period ending</th>${head}</tr></thead>
      <tbody>${body}</tbody>
    </table>
    ${
      asked &&
      html`<${FigureDialog} symbol=${symbol} noun=${noun} field=${asked.line.field} title=${asked.line.title}
        date=${String(asked.row.date)} query=${query} onClose=${() => ask(undefined)} />`
    }
  </div>`;
}

function Bars({ statement, rows, period }: RowsProps) {
  const { bars, lines } = statement;
  if (bars.length === 0) return null;
  const oldestFirst = rows.toReversed();
  const figure = (field: string) => ({
    name: lines.find((line) => line.field === field)?.title ?? field,
    values: oldestFirst.map((row) => row[field] as number | null),
  });
  return html`<${PeriodBars} periods=${oldestFirst.map(periodText)} figures=${bars.map(figure)}
    unit=${`USD, ${PERIOD_TEXTS[period as 'annual'].toLowerCase()}`} />`;
}
