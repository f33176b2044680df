/** Responses of a server over the data folder of a test. */

import { expect } from 'vitest';
import type { ParsedJson } from '../../support/parsed-json.ts';
import type { CliFolder } from './run-cli.ts';

export interface Reply {
  status: number;
  body: ParsedJson;
}

/** Serves live data. @returns a function that requests a path below `/v1/svc/`. */
export async function served(folder: CliFolder): Promise<(path: string) => Promise<Reply>> {
  const server = await folder.serve();
  const rawKey = await server.newKey({ mode: 'live' });
  return async (path) => {
    const { status, json } = await server.get(`/v1/svc/${path}`, { 'X-API-Key': rawKey });
    return { status, body: json };
  };
}

/** Waits until the server has opened a version with these values. */
export async function eventually(ask: () => Promise<unknown>, wanted: unknown): Promise<void> {
  await expect.poll(ask).toEqual(wanted);
}
