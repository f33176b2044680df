/**
 * Worst errors against exact arithmetic, library by library, on ordinary and hostile prices:
 * `node bench/kernels/accuracy.ts` writes them to bench/ACCURACY.md. `--quick` prints them;
 * `--smoke` only checks that ours are within their bounds.
 */

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { IndicatorParams, IndicatorSpec } from '../../src/compute/columns/indicator-spec.ts';
import { defaultParams, indicatorCatalogue } from '../../src/compute/indicators/catalogue.ts';
import { barsOf } from '../../test/compute/support/bars-of.ts';
import { definitions } from '../../test/compute/support/definitions/definitions.ts';
import { hostileSeries } from '../../test/compute/support/hostile-series.ts';
import { worstError } from '../../test/compute/support/worst-error.ts';
import { NPM_PEERS, npmPeer } from '../command/peers/npm.ts';
import { type PeerColumns, plainBars } from '../command/peers/peer.ts';
import { benchSizeFromArgs, checkResult, tableFromRows } from '../harness.ts';

const OUTPUT = fileURLToPath(new URL('../ACCURACY.md', import.meta.url));

/** Parameters that every library has. The others have their defaults. */
const OTHER_PARAMS: Readonly<Record<string, IndicatorParams>> = {
  sma: { period: 20 },
  ema: { period: 20 },
  bollinger: { period: 20, k: 2 },
};

const benchParams = (spec: IndicatorSpec) => OTHER_PARAMS[spec.name] ?? defaultParams(spec);

const modules = await Promise.all(NPM_PEERS.map((name) => npmPeer(name, process.cwd())));
const peers = modules.flatMap((module) => module ?? []);

/** Libraries seed averages in different ways; from this bar on no seed is visible in a double. */
const FIRST_BAR = 1500;
const BAR_COUNT = 3000;

const INTRODUCTION = `# Accuracy

Written by \`node bench/kernels/accuracy.ts\`; do not edit.

Worst error of each library against exact arithmetic on ${BAR_COUNT} closes of each series, from bar
${FIRST_BAR} on, where differences in seeding have faded. "none" stands for a missing or non-finite value
where one is defined. The series are in \`test/compute/support/hostile-series.ts\`, the exact arithmetic in
\`test/compute/support/exact.ts\`. technicalindicators rounds its RSI to two decimals.
`;

function ourError(spec: IndicatorSpec, close: Float64Array, fromRow: number): number {
  const params = benchParams(spec);
  const bars = barsOf(close);
  return worstError(spec.name, spec.compute(bars, params), bars, params, fromRow);
}

function errorText(error: number): string {
  if (error === Number.POSITIVE_INFINITY) return 'none';
  return error === 0 ? '0' : error.toExponential(1);
}

/** Missing values are NaN for the exact arithmetic. */
function numbersOf(columns: PeerColumns): Record<string, number[]> {
  const entries = Object.entries(columns).map(([name, column]) => [
    name,
    Array.from(column, (value) => value ?? Number.NaN),
  ]);
  return Object.fromEntries(entries);
}

function sectionOf(spec: IndicatorSpec): string {
  const params = benchParams(spec);
  const programs = peers.flatMap(({ name, indicator }) => {
    const kernel = indicator(spec.name, params);
    return kernel ? [{ name, kernel }] : [];
  });
  const rows = Object.entries(hostileSeries).map(([name, series]) => {
    const close = series(BAR_COUNT);
    const bars = barsOf(close);
    const errors = programs.map(({ kernel }) => {
      const result = kernel.run(plainBars(bars) as never);
      const columns = kernel.columns?.(result as never) ?? (result as PeerColumns);
      return worstError(spec.name, numbersOf(columns), bars, params, FIRST_BAR);
    });
    return [name, ...[ourError(spec, close, FIRST_BAR), ...errors].map(errorText)];
  });
  const header = ['series', 'tapeworks', ...programs.map((peer) => peer.name)];
  const { bound, measure } = definitions[spec.name];
  const title = [spec.name, ...Object.values(params)].join(':');
  return `## ${spec.title} (\`${title}\`)\n\nErrors ${measure}; our bound is ${bound}.\n\n${tableFromRows(header, rows)}\n`;
}

const size = benchSizeFromArgs();
for (const spec of indicatorCatalogue) {
  for (const [name, series] of Object.entries(hostileSeries)) {
    const error = ourError(spec, series(size === 'smoke' ? 300 : BAR_COUNT), 0);
    const { bound } = definitions[spec.name];
    checkResult(error <= bound, `${spec.name} on "${name}" is off by ${error}, bound ${bound}`);
  }
}
console.log('accuracy: all errors are within their bounds');
if (size !== 'smoke') {
  const compared = indicatorCatalogue.filter((spec) =>
    peers.some(({ indicator }) => indicator(spec.name, benchParams(spec))),
  );
  const text = [INTRODUCTION, ...compared.map(sectionOf)].join('\n');
  if (size === 'full') writeFileSync(OUTPUT, text);
  else console.log(text);
}
