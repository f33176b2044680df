/** Two servers behind deploy/Caddyfile: a rolling restart, and a kill, seen by a client. */

import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCandleFile } from '../cli/support/candle-file.ts';
import { type CliFolder, createCliFolder, type RunningCli } from '../cli/support/run-cli.ts';
import { sharedFolder } from '../support/folders.ts';
import { freePort } from '../support/redis-server.ts';
import { caddy } from '../support/tools.ts';
import { type Balancer, startBalancer, startClient } from './balancer.ts';

describe.skipIf(!caddy)('behind the load balancer of the fleet', () => {
  const env: Record<string, string> = {};
  const home = sharedFolder();
  let cli: CliFolder;
  let headers: Record<string, string>;
  let balancer: Balancer;
  let address: string;
  const ports: number[] = [];
  const servers: RunningCli[] = [];

  /** Starts a server on its port, as a new version would be. */
  async function startServer(index: number): Promise<void> {
    env.TAPEWORKS_PORT = String(ports[index]);
    servers[index] = await cli.start('serve');
  }

  beforeAll(async () => {
    cli = createCliFolder(env);
    const file = join(home, 'AAA.csv');
    writeCandleFile(file, '2025-01-02', '2025-01-31');
    await cli.json('backfill', 'files', 'candles', file);
    ({ headers } = await cli.key('live'));
    ports.push(await freePort(), await freePort());
    await startServer(0);
    await startServer(1);
    balancer = await startBalancer(home, ports);
    ({ address } = balancer);
  });
  afterAll(async () => {
    balancer?.process.kill('SIGTERM');
    await cli?.remove();
  });

  it('serves once a server is ready', async () => {
    await expect
      .poll(() =>
        fetch(`${address}/readyz`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
  });

  it('restarts one server after the other without a failed request', async () => {
    const client = startClient(`${address}/v1/svc/quotes/batch?symbols=AAA`, headers);
    for (const index of [0, 1]) {
      const before = client.count('200');
      expect(await servers[index].stop()).toBe(0);
      await expect.poll(() => client.count('200')).toBeGreaterThan(before + 20);
      await startServer(index);
      // The balancer sends requests to it again, so the other one may go.
      await expect
        .poll(async () => (await fetch(`http://127.0.0.1:${ports[index]}/readyz`)).status)
        .toBe(200);
      const restarted = client.count('200');
      await expect.poll(() => client.count('200')).toBeGreaterThan(restarted + 20);
    }
    expect(await client.stop()).toEqual(['200']);
  });

  it('goes on with the other server when one is killed', async () => {
    servers[0].process.kill('SIGKILL');
    await once(servers[0].process, 'exit');
    const client = startClient(`${address}/v1/svc/quotes/batch?symbols=AAA`, headers);
    await expect.poll(() => client.count('200')).toBeGreaterThan(50);
    expect(await client.stop()).toEqual(['200']);
  });
});
