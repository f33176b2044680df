/** `segments list` and `segments drop`: lists loads, and undoes one. */

import type { Command } from 'commander';
import type { HeldRecord } from '../../../jobs/load/held-records.ts';
import type { DropReport } from '../../../jobs/rebuild/drop-segment.ts';
import type { ModePaths } from '../../base/config/data-dir.ts';
import { countText, manyText } from '../../base/count-text.ts';
import { wallMs } from '../../base/world/clock.ts';
import { existsSync } from '../../base/world/files.ts';
import type { LoadedSegment, ServedCounts } from '../../store/duckdb/segments/list.ts';
import { type ModeOptions, modeOption, openVerb, wholeNumberFor } from '../options.ts';
import { tableLines } from '../output.ts';
import { withProgress } from '../progress.ts';

async function listLoads(options: ModeOptions & { limit: number }): Promise<void> {
  const { output, paths } = openVerb(options);
  const loaded = await readLoads(paths, options.limit);
  const { readHeld } = await import('../../../jobs/load/held-records.ts');
  const held = readHeld(paths).reverse();
  const segments = loaded.map((one) => segmentDocument(one));
  output.result({ segments, held }, listLines(loaded, held));
}

async function readLoads(paths: ModePaths, limit: number): Promise<LoadedSegment[]> {
  if (!existsSync(paths.market)) return [];
  const [{ openMarketForReading }, { listSegments }] = await Promise.all([
    import('../../store/duckdb/connection/open.ts'),
    import('../../store/duckdb/segments/list.ts'),
  ]);
  using market = await openMarketForReading(paths);
  return await listSegments(market, limit);
}

function segmentDocument({ seq, loadedMs, ...rest }: LoadedSegment) {
  return { number: seq, ...rest, loadedAt: new Date(loadedMs).toISOString(), state: 'loaded' };
}

/** Number of characters of an id that are shown, enough to name it. */
const ID_SHOWN = 12;

const HEADING = [
  'NUMBER',
  'LOADED',
  'SOURCE',
  'WHAT',
  'ROWS',
  'REFUSED',
  'SYMBOLS',
  'DAYS',
  'FROM',
];

function listLines(loaded: readonly LoadedSegment[], held: readonly HeldRecord[]): string[] {
  if (loaded.length === 0 && held.length === 0) return ['nothing was loaded'];
  const rows = loaded.map((one) => [
    String(one.seq),
    minuteText(one.loadedMs),
    one.source,
    whatText(one),
    countText(one.accepted),
    countText(one.rejected),
    one.symbols === null ? '-' : countText(one.symbols),
    daysText(one),
    one.origin,
  ]);
  return [
    ...(rows.length > 0 ? tableLines([HEADING, ...rows]) : []),
    ...held.flatMap(({ id, heldMs, origin, reason, symbols }) => {
      const head = `held ${id.slice(0, ID_SHOWN)} since ${minuteText(heldMs)}: `;
      if (symbols) {
        const are = symbols.length === 1 ? '1 symbol' : `${manyText(symbols.length, 'symbol')}`;
        const lines = symbols.map((one) => `  ${one.symbol}: ${one.reason}`);
        return [`${head}${are} of ${origin}, of which the others are loaded`, ...lines];
      }
      // Reasons begin with the origin.
      return head + (reason.startsWith(`${origin}: `) ? reason : `${origin}: ${reason}`);
    }),
  ];
}

/** Formats a time in UTC. */
function minuteText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}

function whatText({ dataset, interval, basis }: LoadedSegment): string {
  return dataset === 'candles' ? `${interval} ${basis}` : dataset;
}

function daysText({ firstDay, lastDay }: LoadedSegment): string {
  return firstDay === null ? '-' : `${firstDay} to ${lastDay}`;
}

async function dropLoad(which: string, options: ModeOptions & { plan?: boolean }): Promise<void> {
  const { settings, output, paths } = openVerb(options);
  const { forgetHeld } = await import('../../../jobs/load/held-records.ts');
  const held = options.plan ? undefined : forgetHeld(paths, which);
  if (held) {
    output.result({ forgotten: held }, [
      `removed a held load; nothing of it was stored: ${held.origin}`,
    ]);
    return;
  }
  const { dropSegment } = await import('../../../jobs/rebuild/drop-segment.ts');
  const drop = { which, isPlan: options.plan === true };
  const report = await withProgress(output, (shown) =>
    dropSegment(paths, drop, { settings, verb: 'segments drop', nowMs: wallMs(), ...shown }),
  );
  const { segment, ...rest } = report;
  const document = { segment: segment ? segmentDocument(segment) : null, ...rest };
  output.result(document, dropLines(report));
}

function dropLines({ segment, isRebuilt, before, after, publishedVersion }: DropReport): string[] {
  if (!segment) return [`it was dropped before; published: version ${publishedVersion}`];
  const { seq, source, accepted, symbols, origin } = segment;
  const named = `segment ${seq}: ${source}, ${whatText(segment)}, ${origin}`;
  const ofSymbols =
    symbols === null ? '' : ` of ${countText(symbols)} ${symbols === 1 ? 'symbol' : 'symbols'}`;
  const rows = `${manyText(accepted, 'row')}${ofSymbols}, ${daysText(segment)}`;
  if (!after) {
    const how = isRebuilt ? 'the store is rebuilt without it' : 'in place';
    return [`would drop ${named}`, `rows: ${rows}`, `how: ${how}`, `served: ${servedText(before)}`];
  }
  return [
    `dropped ${named}`,
    `rows: ${rows}`,
    `served: ${servedText(before)} → ${servedText(after)}`,
    `published: version ${publishedVersion}`,
  ];
}

function servedText({ bars, symbols }: ServedCounts): string {
  return `${manyText(bars, 'bar')} of ${manyText(symbols, 'symbol')}`;
}

export function registerSegments(program: Command): void {
  const segments = program.command('segments').description('list loads, and undo one');
  segments
    .command('list')
    .description('list loads, newest first')
    .addOption(modeOption())
    .option('--limit <count>', 'how many', wholeNumberFor('--limit', 1), 50)
    .action(listLoads);
  segments
    .command('drop')
    .description('undo a load; what the other loads give is served')
    .argument('<segment>', 'number or id, as segments list prints them')
    .addOption(modeOption('live; segments of the sandbox cannot be dropped'))
    .option('--plan', 'print what would be removed, and stop')
    .action(dropLoad);
}
