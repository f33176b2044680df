/** Runs the command line as a user does, over a data folder of its own. */

import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import type { TestServer } from '../../api/support/test-server.ts';
import { newFolder } from '../../support/folders.ts';
import type { ParsedJson } from '../../support/parsed-json.ts';
import { runWarm } from './warm-cli.ts';

/** The launcher of this program. */
export const bin = fileURLToPath(new URL('../../../bin/tapeworks.js', import.meta.url));

/** The command line for tests that kill workers: as `quick-limits.ts` says. */
export const QUICK_CLI = fileURLToPath(new URL('quick-cli.ts', import.meta.url));

/** Flags of garbage collection of this process, for those of tests: a start takes a tenth less time. */
const COLLECTION = process.execArgv.filter((flag) => /-gc$|-semi-space-size=/.test(flag));

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface CliFolder {
  dataDir: string;
  /**
   * Runs a verb to its end: in a process that has run others before, or in one of its own where
   * several run at once.
   */
  run(...args: string[]): Promise<CliResult>;
  /** Starts a verb and leaves it to the test. */
  spawn(...args: string[]): ChildProcess;
  /** Starts a verb behind a command such as `ip netns exec`. */
  spawnWithin(within: readonly string[], ...args: string[]): ChildProcess;
  /**
   * Runs a verb with `--json` as `run` does and parses its one document; fails unless it exits 0.
   */
  json(...args: string[]): Promise<ParsedJson>;
  /** Creates a key of all scopes, without a rate limit. */
  key(mode: 'live' | 'test'): Promise<{ id: string; headers: { 'X-API-Key': string } }>;
  /** Starts a verb that keeps running; resolves with its `--json` document once it is ready. */
  start(...args: string[]): Promise<RunningCli>;
  /** Serves the folder in this process, for tests that ask only what is served. */
  serve(): Promise<TestServer>;
  /** Ends what still runs and deletes the folder. */
  remove(): Promise<void>;
}

export interface RunningCli {
  document: ParsedJson;
  process: ChildProcess;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
}

/**
 * @param env May be added to later.
 * @param program Script that runs a verb, or what returns it for the next verb.
 */
export function createCliFolder(
  env: Record<string, string> = {},
  program: string | (() => string) = bin,
): CliFolder {
  const dataDir = newFolder();
  const running: RunningCli[] = [];
  const servers = new Set<TestServer>();
  const close = async (server: TestServer) => {
    if (servers.delete(server)) await server.close();
  };
  const scriptNow = typeof program === 'string' ? () => program : program;
  const childEnv = () => ({
    PATH: process.env.PATH ?? '',
    TAPEWORKS_DATA_DIR: dataDir,
    TAPEWORKS_PORT: '0',
    TAPEWORKS_LOG_LEVEL: 'silent',
    ...env,
  });
  const launch = (args: string[], within: readonly string[] = []) => {
    const [command, ...rest] = [...within, process.execPath, ...COLLECTION, scriptNow(), ...args];
    return spawn(command, rest, { env: childEnv(), stdio: ['ignore', 'pipe', 'pipe'] });
  };
  // A warm process has the program of the repository; a copy of it is run by itself.
  const run = async (...args: string[]) => {
    const script = scriptNow();
    const isOfRepository = script === bin || script === QUICK_CLI;
    const isQuick = script === QUICK_CLI;
    const warm = isOfRepository && (await runWarm({ isQuick }, { args, env: childEnv() }));
    return warm || collect(launch(args));
  };
  const json = async (...args: string[]): Promise<ParsedJson> => {
    const { code, stdout, stderr } = await run(...args, '--json');
    if (code !== 0) throw new Error(`tapeworks ${args.join(' ')} gave ${code}: ${stderr}`);
    return JSON.parse(stdout);
  };
  return {
    dataDir,
    run,
    spawn: (...args) => launch(args),
    spawnWithin: (within, ...args) => launch(args, within),
    json,
    async key(mode) {
      const options = ['--mode', mode, '--label', 'test', '--scopes', 'all'];
      const { id, rawKey } = await json('keys', 'create', ...options);
      return { id, headers: { 'X-API-Key': rawKey } };
    },
    async start(...args) {
      const started = await untilDocument(launch([...args, '--json']));
      running.push(started);
      return started;
    },
    async serve() {
      // Few tests need it, and it imports the whole API.
      const { startTestServer } = await import('../../api/support/test-server.ts');
      const settings = settingsFromEnv(childEnv());
      const server = await startTestServer(settings.dataDir, Date.now(), settings);
      servers.add(server);
      return { ...server, close: () => close(server) };
    },
    async remove() {
      await Promise.all([...running.map((cli) => cli.stop()), ...Array.from(servers, close)]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Makes a folder for all tests of a file or of a `describe`. Call it outside of tests and hooks. */
export function useCliFolder(env?: Record<string, string>, script?: string): CliFolder {
  const folder = createCliFolder(env, script);
  afterAll(() => folder.remove());
  return folder;
}

async function collect(child: ChildProcess): Promise<CliResult> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, stdout, stderr };
}

function untilDocument(child: ChildProcess): Promise<RunningCli> {
  const ended = collect(child);
  const stop = async () => {
    child.kill('SIGTERM');
    return (await ended).code;
  };
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += chunk;
      try {
        resolve({ document: JSON.parse(text), process: child, stop });
      } catch {
        // The document is not whole yet.
      }
    });
    ended.then(({ code, stderr }) => reject(new Error(`ended with ${code}: ${stderr}`)));
  });
}
