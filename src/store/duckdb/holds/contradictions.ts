/** Check that new bars agree with the served ones that they replace, in every load. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { type ComparedBars, type Contradiction, findContradiction } from '../vintages/agreement.ts';
import { findReplaced, type NewRows, readReplaced } from './replaced-bars.ts';
import { type SeriesHold, timeText } from './series-hold.ts';

/**
 * @param known   Symbols that are held already.
 * @param isAhead True for a symbol that would end later than before.
 */
export async function holdForContradictions(
  connection: DuckDBConnection,
  rows: NewRows,
  known: ReadonlySet<string>,
  isAhead: (symbol: string) => boolean,
): Promise<SeriesHold | undefined> {
  const found: SeriesHold['found'][number][] = [];
  for (const { symbol, kind } of await findReplaced(connection, rows)) {
    if (known.has(symbol)) continue;
    const bars = await readReplaced(connection, symbol, rows);
    const contradiction = bars && findContradiction(bars, { kind, isAhead: isAhead(symbol) });
    if (bars && contradiction) {
      const [us, close] = [bars.timestampUs, bars.newer[3]].map((of) => of[contradiction.row]);
      const detail = textOf(bars, contradiction, timeText(rows.interval));
      found.push({ symbol, detail, contradicts: { us, close } });
    }
  }
  if (found.length === 0) return undefined;
  return {
    check: 'other prices',
    verbs: ['contradicts', 'contradict'],
    text: 'the stored bars',
    found,
  };
}

function textOf(
  { timestampUs, older, newer }: ComparedBars,
  { kind, row, count, by }: Contradiction,
  timeOf: (us: number) => string,
): string {
  const close = ([, , , closes]: ComparedBars['older'], at: number) =>
    Number(closes[at].toPrecision(7));
  const time = timeOf(timestampUs[row]);
  if (kind === 'jump') {
    const before = timeOf(timestampUs[row - 1]);
    return (
      `goes from ${close(newer, row - 1)} on ${before} to ${close(newer, row)} on ${time}, ` +
      `and the stored bars from ${close(older, row - 1)} to ${close(older, row)}`
    );
  }
  const of = `${count} of ${timestampUs.length} bars`;
  const closes = `closes at ${close(newer, row)}, stored is ${close(older, row)}`;
  if (kind === 'longer') {
    const side = by! > 0 ? 'from' : 'up to';
    return `has the range of ${Math.abs(by!) + 1} stored bars ${side} ${time}, so it may hold longer bars; it ${closes}`;
  }
  if (kind === 'exchanged') {
    const other = timeOf(timestampUs[row + by!]);
    return `has the prices of ${other} on ${time}, and those of ${time} on ${other}; on ${time} it ${closes}`;
  }
  if (by !== undefined) {
    const side = by > 0 ? 'after' : 'before';
    return `has in ${count} bars the prices of the stored bar ${side} each, so its dates or times may be off; on ${time} it ${closes}`;
  }
  if (kind === 'level') return `has another price level in ${of}; on ${time} it ${closes}`;
  if (kind === 'uneven') return `has no constant factor in ${of}; on ${time} it ${closes}`;
  const at = [0, 1, 2].map((price) => newer[price][row] / older[price][row]);
  return `has an open, high or low far from the stored one in ${of} (${at.map((ratio) => `× ${Number(ratio.toPrecision(3))}`).join(', ')} on ${time})`;
}
