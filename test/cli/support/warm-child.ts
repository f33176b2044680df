/**
 * Runs one command line after the other, for `warm-cli.ts`; with the argument `quick` as
 * `quick-limits.ts` says.
 */

import { enableCompileCache } from 'node:module';
import type { CliResult } from './run-cli.ts';

export interface WarmCommand {
  args: string[];
  env: Record<string, string>;
}

enableCompileCache();
if (process.argv[2] === 'quick') await import('./quick-limits.ts');
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
