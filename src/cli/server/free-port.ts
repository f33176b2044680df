/** Port that threads share. */

import { listenError } from '../../api/http/listen.ts';
import type { Settings } from '../../base/config/config.ts';
import { createSocketServer } from '../../base/world/sockets.ts';

function bind(options: { host: string; port: number; reusePort?: boolean }): Promise<number> {
  const server = createSocketServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}

/** Returns true if several threads can listen on one port; not every system allows it. */
export async function canSharePort(): Promise<boolean> {
  try {
    await bind({ host: '127.0.0.1', port: 0, reusePort: true });
    return true;
  } catch {
    return false;
  }
}

/** Returns the port, free on this machine. Threads that share it would share it with others. */
export async function freePort({ host, port }: Pick<Settings, 'host' | 'port'>): Promise<number> {
  try {
    return await bind({ host, port });
  } catch (error) {
    throw listenError(error as NodeJS.ErrnoException, host, port);
  }
}
