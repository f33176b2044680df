/** Official MCP clients read this server, over HTTP and over stdio. */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { long } from '../support/store-runs.ts';
import { mcpPython } from '../support/tools.ts';
import { STOCK, useContractMarket } from './contract-market.ts';

const market = useContractMarket();
const run = promisify(execFile);
const cli = fileURLToPath(new URL('../../bin/tapeworks.js', import.meta.url));

async function closes(): Promise<number[]> {
  const { json } = await market.server.get(`/v1/svc/technical/${STOCK}?limit=3`);
  return (json as { candles: { close: number }[] }).candles.map(({ close }) => close);
}

function stdio(env: Record<string, string>): StdioClientTransport {
  return new StdioClientTransport({ command: process.execPath, args: [cli, 'mcp'], env });
}

const call = { name: 'get_bars', arguments: { symbols: [STOCK], limit: 3 } };

function closesOf(structured: unknown): unknown[] {
  const [{ columns, rows }] = (structured as { tables: { columns: string[]; rows: unknown[][] }[] })
    .tables;
  return rows.map((row) => row[columns.indexOf('close_usd')]);
}

describe('the TypeScript client', () => {
  it.each(['2025-06-18', '2026-07-28'])('reads bars over HTTP by revision %s', async (revision) => {
    const options = {
      versionNegotiation: { mode: revision === '2026-07-28' ? { pin: revision } : 'legacy' },
    } as const;
    const client = new Client({ name: 'test', version: '1.0.0' }, options);
    const requestInit = { headers: { 'X-API-Key': market.server.rawKey } };
    const url = new URL(`${market.server.address}/mcp`);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    expect((await client.listTools()).tools.length).toBe(10);
    expect(closesOf((await client.callTool(call)).structuredContent)).toEqual(await closes());
    await client.close();
  });

  it('reads bars over stdio', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const { address, rawKey } = market.server;
    await client.connect(stdio({ TAPEWORKS_URL: address, TAPEWORKS_API_KEY: rawKey }));
    expect((await client.listTools()).tools.length).toBe(10);
    expect(closesOf((await client.callTool(call)).structuredContent)).toEqual(await closes());
    await client.close();
  });

  long('hears the same about an unknown tool over HTTP and stdio', async () => {
    const { address, rawKey } = market.server;
    const requestInit = { headers: { 'X-API-Key': rawKey } };
    const url = new URL(`${address}/mcp`);
    const transports = [
      new StreamableHTTPClientTransport(url, { requestInit }),
      stdio({ TAPEWORKS_URL: address, TAPEWORKS_API_KEY: rawKey }),
    ];
    const errors = [];
    for (const transport of transports) {
      const client = new Client({ name: 'test', version: '1.0.0' });
      await client.connect(transport);
      const refused = client.callTool({ name: 'get_bar', arguments: {} });
      errors.push(await refused.catch(({ code, message }) => ({ code, message })));
      await client.close();
    }
    const expected = { code: -32602, message: expect.stringContaining('Tool get_bar not found') };
    expect(errors).toEqual([expected, expected]);
    expect(errors[0]).toEqual(errors[1]);
  });

  it('hears over stdio what to do without a server or a valid key', async () => {
    const refusing = createServer((_, response) => response.writeHead(401).end('{}'));
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
    const { port } = refusing.address() as AddressInfo;
    const client = new Client({ name: 'test', version: '1.0.0' });
    const env = { TAPEWORKS_URL: `http://127.0.0.1:${port}`, TAPEWORKS_API_KEY: 'wrong' };
    await client.connect(stdio(env));
    await expect(client.listTools()).rejects.toThrow('TAPEWORKS_API_KEY must be a valid key');
    refusing.closeAllConnections();
    refusing.close();
    await expect(client.listTools()).rejects.toThrow('start it with "npx tapeworks start"');
    await client.close();
  });
});

/** Messages as a client of revision 2025-03-26 sends them: the first opens the connection. */
const INITIALIZE = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: {
    protocolVersion: '2025-03-26',
    capabilities: {},
    clientInfo: { name: 'test', version: '1.0.0' },
  },
};
const BATCH = [
  { jsonrpc: '2.0', id: 'list', method: 'tools/list' },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'tools/call', params: call },
  { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'nope', arguments: {} } },
];

interface Reply {
  id: unknown;
  result?: { tools?: unknown[]; structuredContent?: unknown; protocolVersion?: string };
  error?: { code: number; message: string };
}

async function expectBatch(replies: Reply[]): Promise<void> {
  expect(new Set(replies.map(({ id }) => id))).toEqual(new Set(['list', 2, 3]));
  const of = (id: unknown) => replies.find((reply) => reply.id === id);
  expect(of('list')?.result?.tools).toHaveLength(10);
  expect(closesOf(of(2)?.result?.structuredContent)).toEqual(await closes());
  expect(of(3)?.error).toEqual({ code: -32602, message: 'Tool nope not found' });
}

describe('batches of revision 2025-03-26', () => {
  async function post(body: unknown): Promise<{ status: number; text: string }> {
    const headers = {
      ...{ 'X-API-Key': market.server.rawKey, 'Content-Type': 'application/json' },
      Accept: 'application/json, text/event-stream',
    };
    const url = `${market.server.address}/mcp`;
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, text: await response.text() };
  }

  it('are answered over HTTP, as a list also for one message', async () => {
    const { result } = JSON.parse((await post(INITIALIZE)).text) as Reply;
    expect(result?.protocolVersion).toBe('2025-03-26');
    await expectBatch(JSON.parse((await post(BATCH)).text));
    const [one] = JSON.parse((await post([BATCH[0]])).text) as Reply[];
    expect(one.id).toBe('list');
    expect(await post([BATCH[1]])).toEqual({ status: 202, text: '' });
  });

  it('have a bound, and at least one message', async () => {
    for (const body of [[], Array(17).fill(BATCH[0])]) {
      const { status, text } = await post(body);
      expect(status).toBe(400);
      expect(JSON.parse(text).error.message).toContain('JSON-RPC');
    }
  });

  it('are answered over stdio', async () => {
    const { address, rawKey } = market.server;
    const env = { ...process.env, TAPEWORKS_URL: address, TAPEWORKS_API_KEY: rawKey };
    const child = spawn(process.execPath, [cli, 'mcp'], { env });
    const replies = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const ask = async (body: unknown) => {
      child.stdin.write(`${JSON.stringify(body)}\n`);
      return JSON.parse(String((await replies.next()).value));
    };
    expect((await ask(INITIALIZE)).result.protocolVersion).toBe('2025-03-26');
    await expectBatch(await ask(BATCH));
    expect((await ask(BATCH[0])).id).toBe('list');
    child.stdin.end();
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
  });
});

describe.skipIf(!mcpPython)('the Python client', () => {
  long('reads bars over HTTP and stdio', async () => {
    const { address, rawKey } = market.server;
    const program = `
import asyncio, json, sys
import httpx2 as httpx
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
env = {"TAPEWORKS_URL": "${address}", "TAPEWORKS_API_KEY": "${rawKey}"}
async def read(transport):
    async with Client(transport) as client:
        tools = await client.list_tools()
        result = await client.call_tool("get_bars", {"symbols": ["${STOCK}"], "limit": 3})
        table = result.structured_content["tables"][0]
        at = table["columns"].index("close_usd")
        return [len(tools.tools), [row[at] for row in table["rows"]]]
async def main():
    headers = {"Authorization": "Bearer ${rawKey}"}
    async with httpx.AsyncClient(headers=headers) as http:
        over_http = await read(streamable_http_client("${address}/mcp", http_client=http))
    params = StdioServerParameters(command=sys.argv[1], args=[sys.argv[2], "mcp"], env=env)
    over_stdio = await read(stdio_client(params))
    print(json.dumps([over_http, over_stdio]))
asyncio.run(main())`;
    const { stdout } = await run(String(mcpPython), ['-c', program, process.execPath, cli], {
      env: { PATH: process.env.PATH, PYTHONPYCACHEPREFIX: tmpdir() },
    });
    const expected = [10, await closes()];
    expect(JSON.parse(stdout)).toEqual([expected, expected]);
  });
});
