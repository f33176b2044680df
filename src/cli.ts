/**
 * The command line: one subcommand for each verb, in `src/cli`. Only the named verb is imported,
 * and it imports what it needs when it runs, so that `serve` never loads DuckDB.
 *
 * Exit codes: 0 done, 1 failed, 2 wrong usage.
 */

import { inspect } from 'node:util';
import { Command, CommanderError } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import {
  dataFolders,
  folderFailure,
  fullFolder,
  requireReadable,
  requireWritable,
} from './base/data-folder.ts';
import {
  ConfigError,
  DataFolderError,
  HeldLoadError,
  ParameterError,
  TapeworksError,
  UsageError,
} from './base/errors.ts';
import { nearestName } from './base/nearest-name.ts';
import { visible } from './base/quoted.ts';
import { redisRefusal } from './base/redis/redis-address.ts';
import { process } from './base/world/process.ts';
import { withPlainAccept } from './cli/options.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

/** Registration of each verb, in the order of the help. */
const VERBS: Record<string, () => Promise<(program: Command) => void>> = {
  start: async () => (await import('./cli/server/start.ts')).registerStart,
  serve: async () => (await import('./cli/server/serve.ts')).registerServe,
  backfill: async () => (await import('./cli/backfill/backfill.ts')).registerBackfill,
  sources: async () => (await import('./cli/sources.ts')).registerSources,
  template: async () => (await import('./cli/backfill/template.ts')).registerTemplate,
  jobs: async () => (await import('./cli/jobs/jobs.ts')).registerJobs,
  keys: async () => (await import('./cli/accounts/keys.ts')).registerKeys,
  accounts: async () => (await import('./cli/accounts/accounts.ts')).registerAccounts,
  screen: async () => (await import('./cli/screen/screen.ts')).registerScreen,
  study: async () => (await import('./cli/study/study.ts')).registerStudy,
  chart: async () => (await import('./cli/chart/chart.ts')).registerChart,
  export: async () => (await import('./cli/export/export.ts')).registerExport,
  files: async () => (await import('./cli/files/files.ts')).registerFiles,
  status: async () => (await import('./cli/inspect/status.ts')).registerStatus,
  gaps: async () => (await import('./cli/inspect/gaps.ts')).registerGaps,
  explain: async () => (await import('./cli/inspect/explain.ts')).registerExplain,
  corrections: async () => (await import('./cli/inspect/corrections.ts')).registerCorrections,
  doctor: async () => (await import('./cli/doctor/doctor.ts')).registerDoctor,
  settings: async () => (await import('./cli/settings.ts')).registerSettings,
  segments: async () => (await import('./cli/store/segments.ts')).registerSegments,
  symbols: async () => (await import('./cli/store/symbols.ts')).registerSymbols,
  backup: async () => (await import('./cli/store/backup.ts')).registerBackup,
  upgrade: async () => (await import('./cli/upgrade/upgrade.ts')).registerUpgrade,
  compact: async () => (await import('./cli/store/compact.ts')).registerCompact,
  repair: async () => (await import('./cli/store/repair.ts')).registerRepair,
  rebuild: async () => (await import('./cli/store/rebuild.ts')).registerRebuild,
  sql: async () => (await import('./cli/store/sql.ts')).registerSql,
  mcp: async () => (await import('./cli/server/mcp.ts')).registerMcp,
  worker: async () => (await import('./cli/server/worker.ts')).registerWorker,
  maintenance: async () => (await import('./cli/jobs/maintenance.ts')).registerMaintenance,
  schedule: async () => (await import('./cli/jobs/schedule.ts')).registerSchedule,
  bench: async () => (await import('./cli/bench/bench.ts')).registerBench,
  pipeline: async () => (await import('./cli/server/pipeline.ts')).registerPipeline,
};

/** Commands that need no data folder. */
const WITHOUT_FOLDER = [
  ...['sources', 'settings', 'template', 'doctor', 'mcp'],
  ...['bench indicators', 'bench screens', 'bench backfill', 'bench serving'],
];

/** Commands that only read the data folder. All others need to write to it. */
const ONLY_READ = [
  ...[
    'screen',
    'chart',
    'export',
    'status',
    'gaps',
    'explain',
    'corrections',
    'sql',
    'backup',
    'upgrade',
  ],
  ...['jobs list', 'keys list', 'segments list', 'symbols show'],
  ...['accounts list', 'accounts show', 'accounts usage'],
];

/** Commands that may publish and then end; the version is uploaded before that. */
const PUBLISHES = [
  ...['backfill', 'repair', 'compact', 'rebuild', 'segments', 'symbols', 'jobs', 'maintenance'],
];

/** Options that turn a command into a dry run or a list. */
const DRY_OPTIONS = ['plan', 'list'];

/** Commands that serve what is published, also while the disk is full. */
const SERVES = ['serve', 'start'];

/** Commands whose files are for others, too. */
const WRITES_FOR_OTHERS = ['export', 'template'];

/** Mask of rights that leaves files to this user: stores have keys, and data that was paid for. */
const OWN_MASK = 0o077;

const givenMask = process.umask();

/** Keeps what a command writes from other users, apart from files that it writes for them. */
function setRights(_program: Command, command: Command): void {
  process.umask(WRITES_FOR_OTHERS.includes(nameOf(command)) ? givenMask : givenMask | OWN_MASK);
}

/** Checks the data folder. @throws {DataFolderError} the command cannot use it. */
function tryFolders(_program: Command, command: Command): void {
  const name = nameOf(command);
  if (WITHOUT_FOLDER.includes(name)) return;
  const folders = dataFolders(process.env);
  const full = SERVES.includes(name) ? fullFolder(folders) : undefined;
  if (full) console.error(visible(`tapeworks: ${full.message}. Until then this server only reads`));
  folders.forEach(full || onlyReads(command) ? requireReadable : requireWritable);
}

/** Returns the name of a command, after that of its group. */
function nameOf(command: Command): string {
  const { parent } = command;
  return (parent?.parent ? `${parent.name()} ` : '') + command.name();
}

function onlyReads(command: Command): boolean {
  const options = command.opts();
  const isDry = DRY_OPTIONS.some((option) => options[option] === true);
  return isDry || ONLY_READ.includes(nameOf(command));
}

/** Uploads what the command has published. @throws {TapeworksError} it could not. */
async function uploadPublished(_program: Command, command: Command): Promise<void> {
  const [verb] = nameOf(command).split(' ');
  if (!PUBLISHES.includes(verb) || onlyReads(command) || !process.env.TAPEWORKS_SNAPSHOTS_URL) {
    return;
  }
  const [{ settingsFromEnv }, { uploadAtEnd }] = await Promise.all([
    import('./base/config/config.ts'),
    import('./cli/fleet.ts'),
  ]);
  await uploadAtEnd(settingsFromEnv(process.env));
}

/** A command that suggests the nearest name for an unknown command or option. */
class Verb extends Command {
  override createCommand(name?: string): Command {
    return new Verb(name);
  }

  /** Replaces Commander's suggestion, which takes `stat` for `start`. */
  unknownCommand(): never {
    const verbs = this.createHelp().visibleCommands(this);
    const names = verbs.flatMap((verb) => [verb.name(), ...verb.aliases()]);
    return this.#refuse('command', this.args[0], names);
  }

  unknownOption(flag: string): never {
    const options = this.createHelp().visibleOptions(this);
    const names = options.flatMap(({ long }) => (long ? [long.slice(2)] : []));
    const nearest = flag.startsWith('--') ? nearestName(flag.slice(2), names) : undefined;
    return this.#refuse('option', flag, nearest === undefined ? [] : [`--${nearest}`]);
  }

  #refuse(kind: 'command' | 'option', given: string, names: string[]): never {
    const nearest = nearestName(given, names);
    const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
    const code = kind === 'command' ? 'commander.unknownCommand' : 'commander.unknownOption';
    return this.error(`tapeworks: unknown ${kind} "${given}"${hint}`, { code });
  }
}

/**
 * Builds the command line; new for each run, so that tests can inspect it.
 *
 * @param verb The only verb to import; for undefined or an unknown verb, all are imported.
 */
export async function createProgram(verb?: string): Promise<Command> {
  const program = new Verb('tapeworks')
    .description('Self-hosted market-data engine')
    .version(packageJson.version)
    .showHelpAfterError('(add --help for usage)')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(visible(text)) })
    .hook('preAction', setRights)
    .hook('preAction', tryFolders)
    .hook('postAction', uploadPublished);
  const isVerb = verb !== undefined && Object.hasOwn(VERBS, verb);
  const loads = isVerb ? [VERBS[verb]] : Object.values(VERBS);
  for (const register of await Promise.all(loads.map((load) => load()))) register(program);
  for (const command of program.commands) addJson(command);
  return program;
}

/** Adds `--json` to the verbs that do not describe it. */
function addJson(command: Command): void {
  for (const sub of command.commands) addJson(sub);
  const hasJson = command.options.some(({ long }) => long === '--json');
  if (hasJson || command.commands.length > 0 || ['pipeline', 'mcp'].includes(command.name()))
    return;
  command.option('--json', 'print one JSON document');
}

/** Runs one command line. @returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    const program = await createProgram(args[0]);
    await program.parseAsync(withPlainAccept(args), { from: 'user' });
    return typeof process.exitCode === 'number' ? process.exitCode : 0;
  } catch (error) {
    // Commander has already printed its own message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    return reportFailure(error);
  }
}

function reportFailure(failure: unknown): number {
  const error =
    folderFailure(failure, dataFolders(process.env)) ?? redisRefusal(failure) ?? failure;
  if (!(error instanceof TapeworksError)) {
    console.error(visible(inspect(error)));
    return EXIT_FAILED;
  }
  console.error(visible(`tapeworks: ${error.message}`));
  if (error instanceof HeldLoadError) console.error(`  ${remedyOf(error)}`);
  const { cause } = error;
  // The message of a folder error is complete.
  const hasMore = cause instanceof Error && !(error instanceof DataFolderError);
  if (hasMore && !error.message.includes(cause.message)) {
    console.error(visible(`  because: ${cause.message}`));
  }
  const isUsage =
    error instanceof UsageError || error instanceof ParameterError || error instanceof ConfigError;
  return isUsage ? EXIT_USAGE : EXIT_FAILED;
}

function remedyOf({
  rejectedIn,
  symbols,
  servesLess,
  contradictsSplit,
  contradictsFiles,
  looksLikeSplit,
}: HeldLoadError): string {
  const look = rejectedIn === undefined ? '' : `Look at rejected rows in "${rejectedIn}". `;
  if (servesLess) {
    return `${look}Nothing was changed. To load it whatever it replaces, see "A held load" in docs/quality.md`;
  }
  if (contradictsSplit) return `${look}segments list names all held symbols`;
  if (contradictsFiles) {
    return `${look}segments list names all held symbols. Leave out the wrong file, and load the others again`;
  }
  if (looksLikeSplit) {
    return (
      `${look}segments list names all held symbols. If it is a split, load a file that reaches ` +
      'back over it, on the new basis. If the price of one really moved so, repeat with ' +
      `--accept ${symbols[0]?.symbol ?? 'SYMBOL'} (backfill or jobs retry)`
    );
  }
  if (symbols.length > 0) {
    const [{ symbol }] = symbols;
    return (
      `${look}segments list names all held symbols. If the new prices of one are right, ` +
      `repeat with --accept ${symbol} (backfill or jobs retry); --accept alone is for all. ` +
      `If only a bar is wrong, repair ${symbol} DATE corrects it`
    );
  }
  return `${look}If the data is right, repeat with --accept (backfill or jobs retry); segments drop undoes it`;
}

/** Runs the command line of this process. */
export async function main(): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The reader of the pipe has ended, as `head` does.
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  process.exitCode = await run(process.argv.slice(2));
}

if (import.meta.main) await main();
