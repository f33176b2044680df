import { ParameterError } from '../../../base/errors.ts';
import { dateFromDay, dayFromMillis } from '../../../base/time/dates.ts';
import type { FetchContext, FetchedSegment } from '../../contract/fetch-context.ts';
import { SkippedNotes } from '../../contract/skipped-notes.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import type { Ask } from '../shared/ask.ts';
import { stageVendorBars } from '../shared/stage-vendor-bars.ts';
import { marketSessions, monthStart, vendorInterval } from '../shared/vendor-days.ts';
import { massiveLimits } from './limits.ts';
import { type MarketActions, marketActions } from './market-actions.ts';
import { parseMassiveDay } from './parse-bars.ts';

/** Lists the sessions to ask for, ascending: the newest stored one is among them. */
export function massiveSessions(options: SourceOptions, nowMs: number): number[] {
  if (vendorInterval(options) !== '1d') {
    const message =
      "massive gives minutes of single symbols (--symbols), or from its flat files' path";
    throw new ParameterError('interval', message);
  }
  const firstDay = dayFromMillis(nowMs) - massiveLimits.historyDays;
  return marketSessions(options, firstDay, nowMs);
}

/** Returns true for one new session, whose run sends no more requests than it must. */
export function isEvening(sessions: readonly number[], options: SourceOptions): boolean {
  const { fromDay, wholeMarketDay, actionsFromDay } = options;
  if (actionsFromDay !== undefined) return false;
  if (fromDay !== undefined || wholeMarketDay === undefined) return sessions.length === 1;
  return sessions.filter((day) => day > wholeMarketDay).length === 1;
}

/** Fetches a segment a session; the last of each month carries the splits and dividends. */
export async function* fetchMassiveMarket(
  options: SourceOptions,
  context: FetchContext,
  ask: Ask,
): AsyncGenerator<FetchedSegment> {
  const sessions = massiveSessions(options, context.nowMs);
  if (sessions.length === 0) return;
  const isOneOnly = isEvening(sessions, options);
  // Some days more, so that the two lists of the first two evenings cover the first one's bars.
  const actionsFromDay = options.actionsFromDay ?? sessions[0] - massiveLimits.lookbackDays;
  const known = await marketActions(actionsFromDay, { ask, isOneOnly }, context);
  const notes = new SkippedNotes();
  for (const [done, day] of sessions.entries()) {
    context.onProgress?.('fetch', done, sessions.length);
    const date = dateFromDay(day);
    const text = await ask(`/v2/aggs/grouped/locale/us/market/stocks/${date}`, {
      adjusted: 'false',
    });
    const barsBySymbol = parseMassiveDay(text);
    if (barsBySymbol.size === 0) notes.add(date, 'Massive has no bars of this session');
    // All of them each day would be millions of records; the end of a month suffices.
    const isStated = done === sessions.length - 1 || monthStart(sessions[done + 1]) > day;
    const answer = {
      source: 'massive',
      interval: '1d' as const,
      origin: `massive market ${date}`,
      barsBySymbol,
      symbolForm: 'nasdaq' as const,
      actionsOf: known && isStated ? statementsThrough(day, known) : undefined,
    };
    yield* notes.carriedBy(stageVendorBars(answer, options, context));
  }
  context.onProgress?.('fetch', sessions.length, sessions.length);
  notes.requireSegments('Massive');
}

function statementsThrough(day: number, { actions, fromDay }: MarketActions) {
  return (ticker: string) =>
    fromDay > day ? undefined : actions.statement(ticker, { fromDay, toDay: day });
}
