/** Responses of a server over the data folder of a test. */

import { expect } from 'vitest';
import type { ParsedJson } from '../../support/parsed-json.ts';
import type { CliFolder, RunningCli } from './run-cli.ts';

export interface Reply {
  status: number;
  body: ParsedJson;
}

/** Starts a server. @returns a function that requests a path below `/v1/svc/` of it. */
export async function served(folder: CliFolder): Promise<(path: string) => Promise<Reply>> {
  const { headers } = await folder.key('live');
  const api: RunningCli = await folder.start('serve');
  return async (path) => {
    const response = await fetch(`${api.document.address}/v1/svc/${path}`, { headers });
    return { status: response.status, body: await response.json() };
  };
}

/** Waits until the server has opened a version with these values. */
export async function eventually(ask: () => Promise<unknown>, wanted: unknown): Promise<void> {
  await expect.poll(ask, { interval: 20, timeout: 60_000 }).toEqual(wanted);
}
