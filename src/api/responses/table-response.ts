/** Tables as responses in CSV and Arrow. */

import { CONTENT_TYPES, type Format } from '../http/format.ts';
import { type ApiResponse, createResponse } from '../http/response.ts';
import { csvFromTable } from './csv.ts';
import type { Table } from './table.ts';

/** @param headers Names and values in turn, in addition to `Content-Type`. */
export function tableResponse(
  table: Table,
  format: Exclude<Format, 'json'>,
  headers: readonly string[] = [],
): ApiResponse | Promise<ApiResponse> {
  if (format === 'csv') return createResponse(200, CONTENT_TYPES.csv, csvFromTable(table), headers);
  return arrowResponse(table, headers);
}

async function arrowResponse(table: Table, headers: readonly string[]): Promise<ApiResponse> {
  const { arrowFromTable } = await import('./arrow-stream.ts');
  return createResponse(200, CONTENT_TYPES.arrow, arrowFromTable(table), headers);
}
