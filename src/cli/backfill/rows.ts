/** `backfill` of the sources that give rows: news, earnings dates, expirations. */

import type { Command } from 'commander';
import { settingsFromEnv } from '../../base/config/config.ts';
import { UsageError } from '../../base/errors.ts';
import { type BackfillOptions, runBackfill, withCommonOptions } from './run.ts';
import { showPlan } from './vendors.ts';

/** The feeds that are named; without any, and without symbols, those of the settings. */
function feedsOf(named: string[], { symbols }: BackfillOptions): string[] {
  if (named.length > 0 || symbols !== undefined) return named;
  return settingsFromEnv(process.env).rssFeeds;
}

function rowsCommand(backfill: Command, id: string, description: string): Command {
  return withCommonOptions(backfill.command(id), 'live')
    .description(description)
    .option('--plan', 'print requests, time and disk space needed, and exit');
}

export function registerRowSources(backfill: Command): void {
  rowsCommand(backfill, 'rss', 'news from RSS and Atom feeds')
    .argument('[feeds...]', 'URLs or files (default: TAPEWORKS_RSS_FEEDS)')
    .action((named: string[], options: BackfillOptions) => {
      const asked = { ...options, paths: feedsOf(named, options) };
      return options.plan ? showPlan('rss', asked) : runBackfill('rss', asked);
    });
  rowsCommand(backfill, 'nasdaq', 'earnings dates from Nasdaq (default: the next 30 days)').action(
    (options: BackfillOptions) =>
      options.plan ? showPlan('nasdaq', options) : runBackfill('nasdaq', options),
  );
  for (const [id, title] of [
    ['finnhub', 'Finnhub'],
    ['fmp', 'FMP'],
  ]) {
    rowsCommand(
      backfill,
      id,
      `earnings dates and, with --symbols, analyst ratings from ${title}`,
    ).action((options: BackfillOptions) =>
      options.plan ? showPlan(id, options) : runBackfill(id, options),
    );
  }
  rowsCommand(backfill, 'cboe', 'option expirations of --symbols from Cboe').action(
    (options: BackfillOptions) => {
      if (options.symbols === undefined) throw new UsageError('cboe needs --symbols A,B');
      return options.plan ? showPlan('cboe', options) : runBackfill('cboe', options);
    },
  );
}
