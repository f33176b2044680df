/** `bench <what>`: measures this program beside peers, on own data or synthetic data. */

import { type Command, Option } from 'commander';
import { benchLimits } from '../../../bench/command/limits.ts';
import { wholeNumberFor } from '../options.ts';
import type { IndicatorsOptions } from './indicators.ts';
import type { BenchOptions } from './run.ts';
import type { ScreensOptions } from './screens.ts';

/** Adds the options that all benches have. */
function commonOptions(command: Command): Command {
  const { symbolsMax, barsMax, roundsMax } = benchLimits;
  return command
    .option('--symbols <n>', 'number of symbols', wholeNumberFor('--symbols', 1, symbolsMax))
    .option('--bars <n>', 'bars per symbol', wholeNumberFor('--bars', 2, barsMax))
    .option('--data <path>', 'file or folder with own daily bars: CSV, Parquet or Arrow')
    .option('--json [file]', 'print one JSON document, or write it to a file')
    .option('--report <file>', 'write a self-contained HTML page')
    .option('--compare <file>', 'compare with an earlier --json file; exit 1 on a regression')
    .option('--rounds <n>', 'samples of each measurement', wholeNumberFor('--rounds', 1, roundsMax))
    .option('--quick', 'take fewer symbols and rounds, for a first look');
}

const collected = (value: string, before: string[] | undefined) => [...(before ?? []), value];

export function registerBench(program: Command): void {
  const bench = program
    .command('bench')
    .description('measure speed beside other libraries and programs');
  commonOptions(
    bench
      .command('indicators')
      .description('measure indicators over many symbols, in four ways, beside other libraries'),
  )
    .option('--indicators <list>', 'such as rsi:14,sma:200 (default: the whole catalogue)')
    .option('--even', 'take synthetic series of one length instead of those of a market')
    .option('--peers <list>', 'libraries, comma-separated (default: those of npm)')
    .option('--python <path>', 'Python interpreter that has the Python libraries')
    .addOption(
      new Option('--peer <file>', 'ES module that adds a peer; may be repeated').argParser(
        collected,
      ),
    )
    .addOption(
      new Option(
        '--peer-command <command>',
        'command that adds a peer through Arrow files; may be repeated',
      ).argParser(collected),
    )
    .action(async (options: IndicatorsOptions) => {
      const { runIndicators } = await import('./indicators.ts');
      await runIndicators(options);
    });
  commonOptions(
    bench
      .command('screens')
      .description('measure screens over the bars of all symbols, beside polars and DuckDB'),
  )
    .addOption(
      new Option('--where <expression>', 'own screen; may be repeated').argParser(collected),
    )
    .option('--python <path>', 'Python interpreter that has polars and polars-talib')
    .action(async (options: ScreensOptions) => {
      const { runScreens } = await import('./screens.ts');
      await runScreens(options);
    });
  commonOptions(
    bench
      .command('backfill')
      .description('measure loading of files into an empty store, beside DuckDB'),
  ).action(async (options: BenchOptions) => {
    const { runBackfill } = await import('./backfill.ts');
    await runBackfill(options);
  });
  commonOptions(
    bench.command('serving').description('measure requests to the server, beside bare Express'),
  ).action(async (options: BenchOptions) => {
    const { runServing } = await import('./serving.ts');
    await runServing(options);
  });
}
