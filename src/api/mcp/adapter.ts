/**
 * `/mcp`: the Model Context Protocol by streamable HTTP, without sessions. A server of the SDK is
 * made for each request, since its tools depend on the key.
 */

import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import packageJson from '../../../package.json' with { type: 'json' };
import { HttpError, ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { quoted } from '../../base/quoted.ts';
import type { Adapter, CallRoute } from '../contract/adapter.ts';
import { checkedBody } from '../http/body.ts';
import { type CorsOrigins, isAllowed } from '../http/cors.ts';
import { originOf, statusFromError } from '../http/error-response.ts';
import type { AdmittedContext } from '../http/request-context.ts';
import { type ApiResponse, createResponse, jsonResponse, NO_STORE } from '../http/response.ts';
import type { SqlQueries } from './tools/sql.ts';
import { resultSchema, THIRD_PARTY_NOTE } from './tools/tables.ts';
import type { AgentTool, ToolCall } from './tools/tool.ts';
import { toolsFor } from './tools/tools.ts';

export const SERVER_INFO = { name: 'tapeworks', version: packageJson.version };

export const INSTRUCTIONS =
  'Market data of US stocks and ETFs from a Tapeworks server. All tools only read. Results are ' +
  'tables: columns, and rows as arrays; names end in their unit. Results are small: arrow_url and ' +
  'parquet_url have all rows, and need the API key in the header X-API-Key. ' +
  THIRD_PARTY_NOTE;

export interface McpSources {
  dataDir: string;
  corsOrigins: CorsOrigins;
  /** Default: `query_sql` is not listed. */
  sql?: SqlQueries;
}

const message = z.looseObject({});

/** One message; several in revision 2025-03-26. */
const messages = z.union([message, z.array(message)]);

const JSON_RPC = { methodNotFound: -32_601, refused: -32_000 };

/** Writes an error that concerns the whole request. */
function failed(status: number, text: string): ApiResponse {
  const error = { code: JSON_RPC.refused, message: text };
  return jsonResponse(status, { jsonrpc: '2.0', id: null, error }, NO_STORE);
}

/** Returns what an agent can do about an error; undefined for a bug of the server. */
function remedyOf(error: unknown): string | undefined {
  const status = statusFromError(error);
  if (status === 404) return 'Find the ticker with search_symbols.';
  if (status === 403) return 'Use other tools, or ask the operator for a key with this scope.';
  if (status === 429) return 'Wait before you call again.';
  if (status === 503 && error instanceof HttpError) return 'Try again later.';
  return status < 500 ? 'Correct the arguments and call again.' : undefined;
}

const NO_SQL: SqlQueries = {
  isAvailable: false,
  run: () => Promise.reject(new HttpError(503, 'This server runs no SQL')),
};

export function mcpAdapter({ dataDir, corsOrigins, sql = NO_SQL }: McpSources): Adapter {
  /** Loaded at the first request: most servers have no agents. */
  let sdk: Promise<typeof import('@modelcontextprotocol/server')> | undefined;

  function callOf(context: AdmittedContext, call: CallRoute): ToolCall {
    const { key, headers, request } = context;
    const gone = new AbortController();
    request.res?.once('close', () => gone.abort());
    const { account, mode, scopes } = key;
    return {
      call,
      account,
      mode,
      scopes,
      origin: originOf(headers),
      dataDir,
      sql,
      signal: gone.signal,
    };
  }

  return {
    path: '/mcp',
    method: 'POST',
    failed,
    async respond(context, call) {
      const { origin } = context.headers;
      // A page that a browser tricked into this address has an origin that no setting lists.
      if (origin !== undefined && !isAllowed(corsOrigins, origin)) {
        throw new HttpError(
          403,
          `TAPEWORKS_CORS_ORIGINS does not list the origin ${quoted(origin)}`,
        );
      }
      const body = await checkedBody(context, messages);
      const list = [body].flat();
      const [only, ...more] = list;
      if (only === undefined || list.length > limits.mcp.batchMax) {
        const rule = `must be a message of JSON-RPC, or a list of 1 to ${limits.mcp.batchMax}`;
        throw new ParameterError('body', `body ${rule}, got ${list.length}`);
      }
      if (only.method === 'subscriptions/listen') {
        const error = {
          code: JSON_RPC.methodNotFound,
          message: 'This server has no subscriptions',
        };
        return jsonResponse(200, { jsonrpc: '2.0', id: only.id ?? null, error }, NO_STORE);
      }
      sdk ??= import('@modelcontextprotocol/server');
      const { McpServer, ...others } = await sdk;
      const own = callOf(context, call);
      const bugs: unknown[] = [];
      const isCall = more.length === 0 && only.method === 'tools/call';
      const wanted = isCall ? (only.params as { name?: unknown })?.name : null;
      const makeServer = () => {
        const server = new McpServer(SERVER_INFO, {
          capabilities: { tools: { listChanged: false } },
          instructions: INSTRUCTIONS,
        });
        for (const [name, tool] of toolsFor(own.scopes, sql)) {
          // A call needs the schema of its own tool alone.
          if (wanted === null || wanted === name) register(server, name, tool, own, bugs);
        }
        return server;
      };
      const response = await exchange(others, context, body, makeServer);
      if (bugs.length > 0) throw bugs[0];
      const type = response.headers.get('Content-Type') ?? '';
      const text = await response.text();
      const isList = Array.isArray(body) && text.startsWith('{') && response.ok;
      return createResponse(response.status, type, isList ? `[${text}]` : text, NO_STORE);
    },
  };
}

type Sdk = Omit<typeof import('@modelcontextprotocol/server'), 'McpServer'>;

/** Passes one message to the SDK: of the current revision, or of those before it. */
async function exchange(
  { createMcpHandler, isLegacyRequest, WebStandardStreamableHTTPServerTransport }: Sdk,
  { headers, target }: AdmittedContext,
  body: object,
  makeServer: () => McpServer,
): Promise<Response> {
  const sent = Object.entries(headers).filter(
    ([name, value]) => typeof value === 'string' && /^(accept|content-type|mcp-.*)$/.test(name),
  );
  const request = new Request(`http://server.invalid${target}`, {
    method: 'POST',
    headers: sent as [string, string][],
    body: JSON.stringify(body),
  });
  if (!(await isLegacyRequest(request, body))) {
    const handler = createMcpHandler(makeServer, { legacy: 'reject' });
    return handler.fetch(request, { parsedBody: body });
  }
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  const server = makeServer();
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: body });
  } finally {
    await server.close();
  }
}

/** @param bugs Receives errors that are none of the caller's. */
function register(
  server: McpServer,
  name: string,
  { title, description, input, run }: AgentTool,
  own: ToolCall,
  bugs: unknown[],
): void {
  const annotations = { title, readOnlyHint: true, openWorldHint: false };
  const described = { title, description, inputSchema: input, outputSchema: resultSchema };
  server.registerTool(name, { ...described, annotations }, async (values) => {
    try {
      const result = await run(values as never, own);
      const text = JSON.stringify(result);
      return { content: [{ type: 'text' as const, text }], structuredContent: result };
    } catch (error) {
      const remedy = remedyOf(error);
      if (remedy === undefined) bugs.push(error);
      const { message } = error as Error;
      const end = message.endsWith('.') ? '' : '.';
      const text = remedy === undefined ? 'The server failed.' : `${message}${end} ${remedy}`;
      return { content: [{ type: 'text' as const, text }], isError: true };
    }
  });
}
