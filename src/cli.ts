/**
 * The command line: one subcommand per verb, each in `src/cli/<verb>.ts`. Verbs load what they
 * need when they run, so that `serve` never pays for DuckDB.
 *
 * Exit codes: 0 done, 1 failed, 2 wrong usage.
 */

import { Command, CommanderError } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { registerBackfill } from './cli/backfill.ts';
import { registerBackup } from './cli/backup.ts';
import { registerCompact } from './cli/compact.ts';
import { registerDoctor } from './cli/doctor.ts';
import { registerExplain } from './cli/explain.ts';
import { registerExport } from './cli/export.ts';
import { registerGaps } from './cli/gaps.ts';
import { registerJobs } from './cli/jobs.ts';
import { registerKeys } from './cli/keys.ts';
import { registerPipeline } from './cli/pipeline.ts';
import { registerRebuild } from './cli/rebuild.ts';
import { registerSchedule } from './cli/schedule.ts';
import { registerServe } from './cli/serve.ts';
import { registerSources } from './cli/sources.ts';
import { registerSql } from './cli/sql.ts';
import { registerStart } from './cli/start.ts';
import { registerStatus } from './cli/status.ts';
import { registerSymbols } from './cli/symbols.ts';
import { registerTemplate } from './cli/template.ts';
import { registerWorker } from './cli/worker.ts';
import { ConfigError, ParameterError, TapeworksError, UsageError } from './errors.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

/** The whole command line; built anew for each run, so that tests can inspect it. */
export function createProgram(): Command {
  const program = new Command('tapeworks')
    .description('Self-hosted market-data engine')
    .version(packageJson.version)
    .showHelpAfterError('(add --help for usage)')
    .exitOverride();
  registerStart(program);
  registerServe(program);
  registerBackfill(program);
  registerSources(program);
  registerTemplate(program);
  registerJobs(program);
  registerKeys(program);
  registerExport(program);
  registerStatus(program);
  registerGaps(program);
  registerExplain(program);
  registerDoctor(program);
  registerSymbols(program);
  registerBackup(program);
  registerCompact(program);
  registerRebuild(program);
  registerSql(program);
  registerWorker(program);
  registerSchedule(program);
  registerPipeline(program);
  return program;
}

/** Runs one command line. @returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(args, { from: 'user' });
    return typeof process.exitCode === 'number' ? process.exitCode : 0;
  } catch (error) {
    // Commander has already printed its own message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    return reportFailure(error);
  }
}

function reportFailure(error: unknown): number {
  if (!(error instanceof TapeworksError)) {
    console.error(error);
    return EXIT_FAILED;
  }
  console.error(`tapeworks: ${error.message}`);
  const { cause } = error;
  if (cause instanceof Error && !error.message.includes(cause.message)) {
    console.error(`  because: ${cause.message}`);
  }
  const isUsage =
    error instanceof UsageError || error instanceof ParameterError || error instanceof ConfigError;
  return isUsage ? EXIT_USAGE : EXIT_FAILED;
}

/** Runs the command line of this process. */
export async function main(): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The reader has seen enough, as `head` has.
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  process.exitCode = await run(process.argv.slice(2));
}

if (import.meta.main) await main();
