import { expect, it } from 'vitest';
import { listeningLine } from '../../src/cli/options.ts';

it('says that a server listens on all addresses, which only the image sets', () => {
  const address = 'http://127.0.0.1:8787';
  expect(listeningLine(address, { host: '127.0.0.1' })).toBe(`Tapeworks listens on ${address}`);
  expect(listeningLine(address, { host: '0.0.0.0' })).toBe(
    `Tapeworks listens on ${address}, on all addresses of this machine (TAPEWORKS_HOST=0.0.0.0)`,
  );
  expect(listeningLine('http://[::1]:8787', { host: '::' })).toContain('(TAPEWORKS_HOST=::)');
});
