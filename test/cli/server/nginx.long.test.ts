/** The server behind nginx with nothing but `proxy_pass`: every client has nginx's address then. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkBalancer } from '../../../src/cli/doctor/balancer.ts';
import { sharedFolder } from '../../support/folders.ts';
import { freePort } from '../../support/redis-server.ts';
import { nginx } from '../../support/tools.ts';
import { ask, open } from '../support/ask.ts';
import { askAsOperator, OPERATOR_ENV, OPERATOR_TOKEN } from '../support/operator.ts';
import { type CliFolder, createCliFolder } from '../support/run-cli.ts';

async function startNginx(folder: string, upstream: string) {
  const port = await freePort();
  const path = (name: string) => join(folder, name);
  writeFileSync(
    path('nginx.conf'),
    `daemon off; worker_processes 1; pid ${path('pid')}; error_log ${path('error.log')};
events {}
http {
  access_log off;
  client_body_temp_path ${path('body')}; proxy_temp_path ${path('proxy')};
  fastcgi_temp_path ${path('fastcgi')}; uwsgi_temp_path ${path('uwsgi')}; scgi_temp_path ${path('scgi')};
  server { listen 127.0.0.1:${port}; location / { proxy_pass ${upstream}; } }
}
`,
  );
  const child = spawn(String(nginx), ['-p', folder, '-c', path('nginx.conf')], { stdio: 'ignore' });
  const address = `http://127.0.0.1:${port}`;
  while (child.exitCode === null) {
    const answer = await ask(`${address}/healthz`).catch(() => undefined);
    if (answer?.status === 200) return { child, address };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('nginx has ended');
}

describe.skipIf(!nginx)('behind a plain proxy_pass', () => {
  let cli: CliFolder;
  const folder = sharedFolder();
  const children: ChildProcess[] = [];
  /** Addresses of nginx in front of servers without a token, and with one. */
  let off: string;
  let guarded: string;

  beforeAll(async () => {
    const env = {};
    cli = createCliFolder(env);
    const open = await cli.serve();
    Object.assign(env, OPERATOR_ENV);
    const { document } = await cli.start('serve');
    const addresses: string[] = [];
    for (const upstream of [open.address, document.address]) {
      const own = mkdtempSync(join(folder, 'nginx-'));
      const { child, address } = await startNginx(own, upstream);
      children.push(child);
      addresses.push(address);
    }
    [off, guarded] = addresses;
  });
  afterAll(async () => {
    for (const child of children) {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    }
    await cli.remove();
  });

  it.each(['/metrics', '/jobs', '/jobs/'])('%s is off, or asks for the token', async (path) => {
    expect((await ask(off + path)).status).toBe(404);
    expect((await ask(guarded + path)).status).toBe(401);
    expect((await askAsOperator(guarded + path)).status).toBe(200);
  });

  it('doctor says what it lacks', async () => {
    const { state, detail } = await checkBalancer(guarded, { operatorToken: OPERATOR_TOKEN });
    expect(state).toBe('failed');
    expect(detail).toContain('HTTP/1.0');
    expect(detail).toContain('a cut response as a whole one');
    expect(detail).toContain('Host');
  });

  it('pages come coded as the client asks', async () => {
    const answer = await open(`${off}/docs/swagger-ui.css`, {
      headers: { 'Accept-Encoding': 'br' },
    });
    answer.resume();
    expect(answer.headers['content-encoding']).toBe('br');
  });
});
