/** A tool: its description and input, and the function that runs it. */

import { z } from 'zod';
import type { Mode } from '../../../base/config/data-dir.ts';
import { limits } from '../../../base/limits.ts';
import type { Scope } from '../../../store/accounts/keys/scopes.ts';
import type { CallRoute, RouteValues } from '../../contract/adapter.ts';
import type { SqlQueries } from './sql.ts';
import type { ToolResult } from './tables.ts';

/** One call: the request's key, and what the tool reads. */
export interface ToolCall {
  call: CallRoute;
  account: string;
  mode: Mode;
  scopes: ReadonlySet<Scope>;
  /** Address of the server as the client wrote it. */
  origin: string;
  dataDir: string;
  sql: SqlQueries;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

export interface AgentTool {
  title: string;
  description: string;
  /** A key with any of them sees the tool. */
  scopes: readonly Scope[];
  input: z.ZodObject;
  run(input: never, call: ToolCall): Promise<ToolResult>;
}

/** Declares a tool, whose function gets what its schema describes. */
export function tool<Input extends z.ZodObject>(
  declared: Omit<AgentTool, 'input' | 'run'> & {
    input: Input;
    run(input: z.infer<Input>, call: ToolCall): Promise<ToolResult>;
  },
): AgentTool {
  return declared;
}

export type Row = Record<string, unknown>;

const { rowsMax } = limits.mcp;

/**
 * Describes a list. An agent that sends a text hears what to send, and not that the text is too long.
 *
 * @param example The items of a list, as JSON.
 */
export function list<Item extends z.ZodType>(
  item: Item,
  example: string,
  { min = 0, max = Number.POSITIVE_INFINITY } = {},
) {
  const range = `must be a list of ${min} to ${max} items`;
  return z
    .array(item, { error: `must be a list, such as [${example}]` })
    .refine(({ length }) => length >= min && length <= max, { error: range })
    .meta(Number.isFinite(max) ? { minItems: min, maxItems: max } : {});
}

export const symbol = z.string().describe('US ticker, such as AAPL or BRK.B');
export const moment = (text: string) =>
  z.string().optional().describe(`${text}: 2026-01-31, or a UTC date-time`);
export const limit = (preset: number) =>
  z.number().int().min(1).max(rowsMax).default(preset).describe('Rows');
export const asOf = z
  .string()
  .optional()
  .describe('Day, such as 2025-06-30: uses only what was known then');

/** Links to all rows of a request; they need the same key in a header. */
export function links({ origin }: ToolCall, path: string, values: RouteValues) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const urlOf = (format: string) => {
    const query = new URLSearchParams([...given, ['format', format]] as [string, string][]);
    return `${origin}/v1${path}?${query}`;
  };
  return { arrow_url: urlOf('arrow'), parquet_url: urlOf('parquet') };
}
