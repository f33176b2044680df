/**
 * Runs one command line after the other, for `warm-cli.ts`: `quick` as `quick-limits.ts` says, and
 * with a mask of rights, each if it is not empty.
 */

import { enableCompileCache } from 'node:module';
import type { CliResult } from './run-cli.ts';

export interface WarmCommand {
  args: string[];
  env: Record<string, string>;
}

const [speed, umask] = process.argv.slice(2);
if (umask) process.umask(Number(umask));
enableCompileCache();
if (speed === 'quick') await import('./quick-limits.ts');
const { run } = await import('../../../src/cli.ts');

type Write = typeof process.stdout.write;

/** Captures writes until `stop`. */
function caught(stream: NodeJS.WriteStream): { stop(): string } {
  const { write } = stream;
  const chunks: string[] = [];
  stream.write = ((chunk: string | Uint8Array) => {
    chunks.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    return true;
  }) as Write;
  return {
    stop() {
      stream.write = write;
      return chunks.join('');
    },
  };
}

async function runCaught({ args, env }: WarmCommand): Promise<CliResult> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.exitCode = undefined;
  const [stdout, stderr] = [caught(process.stdout), caught(process.stderr)];
  const code = await run(args);
  // A process of its own would be gone, and these with it.
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal);
  return { code, stdout: stdout.stop(), stderr: stderr.stop() };
}

process.on('message', async (command: WarmCommand) => {
  process.send?.(await runCaught(command));
});
