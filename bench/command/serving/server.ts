/**
 * Child process: the API over a data directory, with a key of live data or of the mode that is
 * given, and a bare Express that sends given bytes.
 */

import express from 'express';
import type { Mode } from '../../../src/base/config/data-dir.ts';
import { fetch } from '../../../src/base/world/network.ts';
import { process } from '../../../src/base/world/process.ts';
import { startBenchApi } from './api.ts';
import { reportReady } from './child.ts';

export interface ApiReady {
  address: string;
  bareAddress: string;
  rawKey: string;
}

/** Bodies up to this size are sent as text, as the API does: Node then writes one piece. */
const TEXT_BYTES_MAX = 4096;

const [dataDir, mode = 'live'] = process.argv.slice(2);
const api = await startBenchApi(dataDir, mode as Mode);

/** One handler and nothing else: the cost of Express itself for a response of the same bytes. */
const bareApp = express();
bareApp.disable('x-powered-by');
const bodies = new Map<string, { body: string | Buffer; headers: string[] }>();
bareApp.get('/{*path}', async (request, reply) => {
  let known = bodies.get(request.url);
  if (!known) {
    const headers = { 'X-API-Key': api.rawKey };
    const response = await fetch(api.address + request.url, { headers });
    const bytes = Buffer.from(await response.arrayBuffer());
    const type = response.headers.get('Content-Type') ?? 'application/octet-stream';
    known = {
      body: bytes.length <= TEXT_BYTES_MAX ? bytes.toString() : bytes,
      headers: ['Content-Type', type, 'Content-Length', String(bytes.length)],
    };
    bodies.set(request.url, known);
  }
  reply.writeHead(200, known.headers).end(known.body);
});
const bareAddress = await api.listenBeside(bareApp);

const ready: ApiReady = { address: api.address, bareAddress, rawKey: api.rawKey };
reportReady(ready, api.stop);
