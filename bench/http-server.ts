/** Child process: the API over a data directory, and a bare Express that sends given bytes. */

import { openSync } from 'node:fs';
import express from 'express';
import { createApp } from '../src/api/app.ts';
import { listen } from '../src/api/listen.ts';
import { createLog, gatheringDestination } from '../src/api/log.ts';
import { settingsFromEnv } from '../src/config.ts';
import { accountsPath, modePaths } from '../src/data-dir.ts';
import { openAccounts } from '../src/store/accounts/accounts.ts';
import { openServing } from '../src/store/serving/reader.ts';
import { reportReady } from './http-child.ts';

export interface ApiReady {
  address: string;
  bareAddress: string;
  rawKey: string;
}

/** Bodies up to this size are sent as text, as the API does: Node then writes one piece. */
const TEXT_BYTES_MAX = 4096;

const [dataDir] = process.argv.slice(2);
const settings = { ...settingsFromEnv({}), dataDir, port: 0 };
const accounts = openAccounts(accountsPath(dataDir));
const readers = {
  live: openServing(modePaths(dataDir, 'live').serving),
  sandbox: openServing(modePaths(dataDir, 'sandbox').serving),
};
// Everything is as in production, the log too; only its lines go nowhere.
const log = createLog(settings.logLevel, gatheringDestination(openSync('/dev/null', 'w')));
const app = createApp({ settings, readers, accounts, now: Date.now, log });
const server = await listen(app, settings, log);
const { rawKey } = accounts.createKey({
  mode: 'live',
  label: 'bench',
  scopes: ['all'],
  limit: null,
});

/** One handler, nothing else: what Express itself costs for the answer to the same request. */
const bareApp = express();
bareApp.disable('x-powered-by');
const bodies = new Map<string, { body: string | Buffer; headers: string[] }>();
bareApp.get('/{*path}', async (request, response) => {
  let known = bodies.get(request.url);
  if (!known) {
    const headers = { 'X-API-Key': rawKey };
    const answer = await fetch(server.address + request.url, { headers });
    const bytes = Buffer.from(await answer.arrayBuffer());
    known = {
      body: bytes.length <= TEXT_BYTES_MAX ? bytes.toString() : bytes,
      headers: ['Content-Type', 'application/json', 'Content-Length', String(bytes.length)],
    };
    bodies.set(request.url, known);
  }
  response.writeHead(200, known.headers).end(known.body);
});
const bare = await listen(bareApp, settings, log);

const ready: ApiReady = { address: server.address, bareAddress: bare.address, rawKey };
reportReady(ready, async () => {
  await Promise.all([server.close(), bare.close()]);
  accounts.close();
});
