/** The bench of screens over candles: ours, polars and DuckDB over the same bars. */

import { join } from 'node:path';
import { MICROS_PER_DAY } from '../../../src/base/bars.ts';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { countText } from '../../../src/base/count-text.ts';
import { limits } from '../../../src/base/limits.ts';
import { mkdtempSync, rmSync } from '../../../src/base/world/files.ts';
import { tmpdir } from '../../../src/base/world/machine.ts';
import { resampleDaily } from '../../../src/compute/bars/resample-daily.ts';
import { compileScreen } from '../../../src/screens/plan/compile.ts';
import type { ScreenPlan } from '../../../src/screens/plan/screen-plan.ts';
import { universeAsOf } from '../../../src/screens/run/as-of.ts';
import { lastOf } from '../../../src/screens/run/in-steps.ts';
import { matchesOf } from '../../../src/screens/run/matches.ts';
import { ScreenMemory } from '../../../src/screens/run/screen-memory.ts';
import type { ScreenUniverse } from '../../../src/screens/run/screen-universe.ts';
import { universeOf } from '../../../src/screens/run/universe.ts';
import { openPublished } from '../../../src/store/arrow/read/reader.ts';
import type { Snapshot } from '../../../src/store/arrow/snapshot/snapshot.ts';
import type { Universe } from '../data/universe.ts';
import { workClock } from '../measure/cpu-time.ts';
import { measureRounds } from '../measure/rounds.ts';
import { yardstick } from '../measure/yardstick.ts';
import {
  type BenchDocument,
  type Check,
  type Group,
  type Measurement,
  type MissingPeer,
  OURS,
  taskOf,
} from '../report/document.ts';
import { publishMarket } from '../serving/market.ts';
import { type NamedScreen, namedScreens } from './named.ts';
import {
  duckdbPeer,
  POLARS,
  polarsPeer,
  type ScreenColumnsInMemory,
  type ScreensPeer,
} from './peers.ts';

export interface ScreensBench {
  universe: Universe;
  /** Expressions of own screens. */
  own: readonly string[];
  python: string | undefined;
  rounds: number;
  onProgress: (step: string, done: number, total: number) => void;
}

export type ScreensResult = Pick<
  BenchDocument,
  'groups' | 'checks' | 'measurements' | 'yardstickNs' | 'rules' | 'programs' | 'missing'
>;

const WARMUP_ROUNDS = 1;
/** Bars before the newest one as of which screens are checked and run. */
const PAST_BARS = 21;
/** Bars that the longest window of the named screens needs, and the past day. */
const PEER_BARS_MIN = 300;

const GROUPS: readonly Group[] = [
  { id: 'memory', title: 'columns in memory, states saved', unit: 'screen' },
  { id: 'cache', title: 'from the page cache', unit: 'screen', peersOf: 'memory' },
  { id: 'past', title: 'as of a past day', unit: 'screen', peersOf: 'memory' },
];

const { nowMs, name: clockName } = workClock();

/** @throws {ExpressionError} An own screen is wrong. */
export async function benchScreens(bench: ScreensBench): Promise<ScreensResult> {
  const screens = [
    ...namedScreens,
    ...bench.own.map((where): NamedScreen => ({ name: where, where, sql: undefined })),
  ].map((screen) => ({ screen, plan: compileScreen({ where: screen.where }) }));
  const dataDir = mkdtempSync(join(tmpdir(), 'tapeworks-bench-'));
  const peers: ScreensPeer[] = [];
  try {
    const folder = modePaths(dataDir, 'live').serving;
    const { series } = await publishMarket(folder, bench.universe);
    using version = openPublished(folder)!;
    const missing: MissingPeer[] = [];
    const columns = columnsInMemory(series);
    if (columns) {
      peers.push(await duckdbPeer(columns));
      const { python } = bench;
      const polars = python === undefined ? undefined : await polarsPeer(python, columns);
      if (polars) peers.push(polars);
      else missing.push({ name: POLARS, install: installOf(python) });
    }
    const measured = await measureScreens(bench, version, screens, peers);
    const note = columns
      ? []
      : [`without peers: they need series of the same days, ${PEER_BARS_MIN} or more`];
    return { ...measured, missing, rules: [...measured.rules, ...note] };
  } finally {
    await Promise.all(peers.map((peer) => peer.close()));
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function installOf(python: string | undefined): string {
  const packages = 'numpy polars polars-talib';
  if (python !== undefined) return `${python} -m pip install ${packages}`;
  return `python3 -m venv .venv && .venv/bin/pip install ${packages}, then --python .venv/bin/python`;
}

interface CompiledScreen {
  screen: NamedScreen;
  plan: ScreenPlan;
}

async function measureScreens(
  { universe, rounds, onProgress }: ScreensBench,
  snapshot: Snapshot,
  screens: readonly CompiledScreen[],
  peers: readonly ScreensPeer[],
): Promise<Omit<ScreensResult, 'missing'>> {
  const newest = universeOf(snapshot);
  const { timestampUs } = snapshot.bars(snapshot.symbols[0], '1d');
  const pastRow = Math.max(0, timestampUs.length - 1 - PAST_BARS);
  const memory = new ScreenMemory(limits.screens.memoryBytesMax);
  const pastDay = Number(timestampUs[pastRow] / MICROS_PER_DAY);
  const past = lastOf(universeAsOf(snapshot, memory, pastDay));
  const checks: Check[] = [];
  const counts: string[] = [];
  for (const { screen, plan } of screens) {
    const found = rowsOf(snapshot, plan, newest, memory);
    counts.push(`"${screen.name}" matches ${countText(found.length)} symbols: ${screen.where}`);
    const foundPast = rowsOf(snapshot, plan, past, memory);
    for (const peer of peers) {
      const check = await checkOf(snapshot, peer, screen, found, foundPast);
      if (check) checks.push(check);
    }
  }
  const measurements: Measurement[] = [];
  const yardstickNs: number[] = [];
  const load = `${countText(snapshot.symbols.length)} symbols, ${countText(universe.barCount)} bars`;
  for (const [done, { screen, plan }] of screens.entries()) {
    onProgress(screen.name, done, screens.length);
    const task = (group: string, program: string, run: () => unknown) => ({
      id: `${group} ${program}`,
      task: taskOf(group, screen.name),
      program,
      run,
    });
    const offering = peers.filter(
      ({ name }) => (name === POLARS && !isOwn(screen)) || (name !== POLARS && screen.sql),
    );
    const candidates = [
      task('memory', OURS, () => {
        memory.dropValues();
        return timed(() => rowsOf(snapshot, plan, newest, memory));
      }),
      task('cache', OURS, () =>
        rowsOf(snapshot, plan, newest, new ScreenMemory(limits.screens.memoryBytesMax)),
      ),
      task('past', OURS, () => rowsOf(snapshot, plan, past, memory)),
      ...offering.map((peer) =>
        task('memory', peer.name, async () => (await peer.run(screen, 0))!.cpuMs),
      ),
    ];
    const samples = await measureRounds([...candidates, { id: 'yardstick', run: yardstick }], {
      rounds,
      warmupRounds: WARMUP_ROUNDS,
      nowMs,
    });
    for (const { id, task: name, program } of candidates) {
      const samplesNs = (samples.get(id) ?? []).map((ms) => ms * 1e6);
      measurements.push({ task: name, program, load, samplesNs });
    }
    yardstickNs.push(...(samples.get('yardstick') ?? []).map((ms) => ms * 1e6));
  }
  onProgress('done', screens.length, screens.length);
  return {
    groups: GROUPS,
    checks,
    measurements,
    yardstickNs,
    programs: peers.map(({ name, version }) => ({
      name,
      version,
      driven:
        'a query over columns in memory, one thread, the newest rows alone where they suffice',
    })),
    rules: [
      `times are ${clockName}; one thread each`,
      'peers must find the same symbols, as of the newest day and as of a past one',
      `tapeworks keeps ${countText(Math.round(memory.bytes / 2 ** 20))} MiB for all screens`,
      ...counts,
    ],
  };
}

function isOwn({ name, where }: NamedScreen): boolean {
  return name === where;
}

function timed(run: () => unknown): number {
  const startMs = nowMs();
  run();
  return nowMs() - startMs;
}

function rowsOf(
  snapshot: Snapshot,
  plan: ScreenPlan,
  universe: ScreenUniverse,
  memory: ScreenMemory,
): string[] {
  const matches = lastOf(matchesOf(snapshot, plan, universe, memory));
  return universe.table.symbols.filter((_, row) => matches[row] === 1);
}

async function checkOf(
  snapshot: Snapshot,
  peer: ScreensPeer,
  screen: NamedScreen,
  found: readonly string[],
  foundPast: readonly string[],
): Promise<Check | undefined> {
  if (isOwn(screen)) return undefined;
  const base = { item: screen.name, program: peer.name };
  for (const [omitted, expected] of [
    [0, found],
    [PAST_BARS, foundPast],
  ] as const) {
    const theirs = await peer.run(screen, omitted);
    if (!theirs) return undefined;
    const symbols = theirs.rows.map((number) => snapshot.symbols[number]);
    const other = [...symbols, ...expected].filter(
      (symbol) => symbols.includes(symbol) !== expected.includes(symbol),
    );
    if (other.length > 0) {
      const when = omitted === 0 ? 'on the newest day' : 'on the past day';
      const detail = `${other.length} of ${expected.length} symbols differ ${when}: ${other[0]}`;
      return { ...base, status: 'different', detail };
    }
  }
  return { ...base, status: 'equal', detail: '' };
}

/** Returns columns for peers; undefined unless all series have the same days, and enough of them. */
function columnsInMemory(series: Universe['bars']): ScreenColumnsInMemory | undefined {
  const [first] = series;
  const barCount = first.close.length;
  const isSame = series.every(
    ({ timestampUs }) =>
      timestampUs.length === barCount &&
      timestampUs[0] === first.timestampUs[0] &&
      timestampUs[barCount - 1] === first.timestampUs[barCount - 1],
  );
  if (!isSame || barCount < PEER_BARS_MIN) return undefined;
  const column = () => new Float64Array(series.length * barCount);
  const columns = { close: column(), high: column(), volume: column() };
  for (const [number, bars] of series.entries()) {
    for (const name of ['close', 'high', 'volume'] as const) {
      columns[name].set(bars[name], number * barCount);
    }
  }
  const mondays = resampleDaily(first, '1w').timestampUs;
  let place = 0;
  const week = Int32Array.from(first.timestampUs, (us) => {
    while (mondays[place + 1] <= us) place++;
    return Number(mondays[place] / MICROS_PER_DAY);
  });
  return { symbolCount: series.length, barCount, week, ...columns };
}
