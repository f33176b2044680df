/** `mcp`: the tools of a running server over stdio, for agents that start a program. */

import type { Command } from 'commander';
import { settingsFromEnv } from '../../base/config/config.ts';
import { ConfigError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { timeoutSignal } from '../../base/world/clock.ts';
import { fetch } from '../../base/world/network.ts';
import { process } from '../../base/world/process.ts';
import { apiAddress } from '../options.ts';
import { batchStreams } from './mcp-batches.ts';

interface Connection {
  address: string;
  rawKey: string;
}

/** An error that tells an agent, and the person beside it, what to do. */
class ForwardError extends Error {}

interface JsonRpc {
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

/** Sends one request to `/mcp`. @throws {ForwardError} The server cannot be reached or refuses. */
async function forward({ address, rawKey }: Connection, method: string, params: unknown) {
  const response = await fetch(`${address}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Authorization: `Bearer ${rawKey}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: timeoutSignal(limits.mcp.forwardMs),
  }).catch((cause: Error) => {
    const remedy = 'start it with "npx tapeworks start", or set TAPEWORKS_URL to its address';
    throw new ForwardError(`No Tapeworks server responds at ${address}: ${remedy}`, { cause });
  });
  const reply = (await response.json().catch(() => ({}))) as JsonRpc;
  if (reply.result) return reply.result;
  // An error of the protocol, such as an unknown tool, stays what it is over HTTP.
  if (response.ok && reply.error) {
    const { ProtocolError } = await import('@modelcontextprotocol/server');
    throw new ProtocolError(reply.error.code, reply.error.message);
  }
  const text = reply.error?.message ?? `status ${response.status}`;
  const hint = response.status === 401 ? ' (TAPEWORKS_API_KEY must be a valid key)' : '';
  throw new ForwardError(`${address}: ${text}${hint}`);
}

async function runMcp({ url }: { url?: string }): Promise<void> {
  const rawKey = process.env.TAPEWORKS_API_KEY;
  if (!rawKey) {
    throw new ConfigError(
      'TAPEWORKS_API_KEY must be set to a key of the server: "npx tapeworks keys create" makes one',
    );
  }
  const address = url ?? process.env.TAPEWORKS_URL ?? apiAddress(settingsFromEnv(process.env));
  if (!URL.canParse(address))
    throw new ConfigError(`TAPEWORKS_URL must be a URL, got "${address}"`);
  const connection = { address: address.replace(/\/+$/, ''), rawKey };
  const [{ Server }, { serveStdio, StdioServerTransport }, { INSTRUCTIONS, SERVER_INFO }] =
    await Promise.all([
      import('@modelcontextprotocol/server'),
      import('@modelcontextprotocol/server/stdio'),
      import('../../api/mcp/adapter.ts'),
    ]);
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const { input, output } = batchStreams();
  process.stdin.pipe(input);
  output.pipe(process.stdout);
  serveStdio(
    () => {
      const capabilities = { tools: { listChanged: false } };
      const server = new Server(SERVER_INFO, { capabilities, instructions: INSTRUCTIONS });
      server.setRequestHandler('tools/list', async () => {
        return (await forward(connection, 'tools/list', {})) as never;
      });
      server.setRequestHandler('tools/call', async ({ params: { name, arguments: values } }) => {
        try {
          return (await forward(connection, 'tools/call', { name, arguments: values })) as never;
        } catch (error) {
          if (!(error instanceof ForwardError)) throw error;
          return { content: [{ type: 'text', text: error.message }], isError: true };
        }
      });
      return server;
    },
    { transport: new StdioServerTransport(input, output) },
  );
  process.stdin.once('close', resolve);
  await closed;
}

export function registerMcp(program: Command): void {
  program
    .command('mcp')
    .description('give agents the tools of a running server, over stdio')
    .option('--url <address>', 'address of the server; default: TAPEWORKS_URL, or this machine')
    .action(runMcp);
}
