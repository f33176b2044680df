/**
 * Keeps the copy of a machine current: by notifications on a connection of its own, and by a look
 * every `limits.postgres.pollMs`, as a pooler in between may drop notifications.
 */

import type { Client } from 'pg';
import { limits } from '../../../base/limits.ts';
import { CHANNEL } from '../postgres/schema.ts';
import { connectClient } from '../postgres/sql.ts';

/** @param look Reads changes; its errors are those of the connection, and pass. */
export function followChanges(url: string, look: () => Promise<void>): { stop(): Promise<void> } {
  const { pollMs, reconnectMs } = limits.postgres;
  let isStopped = false;
  let isLooking = false;
  let listener: Client | undefined;
  let reconnect: NodeJS.Timeout | undefined;

  const lookNow = () => void look().catch(() => undefined);

  const poll = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch(() => undefined)
      .finally(() => {
        isLooking = false;
      });
  }, pollMs);
  poll.unref();

  async function listen(): Promise<void> {
    const client = await connectClient(url);
    client.on('notification', lookNow);
    client.once('end', again);
    listener = client;
    await client.query(`LISTEN ${CHANNEL}`);
    // Changes may have come before.
    lookNow();
  }

  function again(): void {
    listener = undefined;
    if (isStopped) return;
    clearTimeout(reconnect);
    reconnect = setTimeout(begin, reconnectMs);
    reconnect.unref();
  }

  let beginning: Promise<void> | undefined;
  function begin(): void {
    beginning = listen().catch(again);
  }
  begin();

  return {
    async stop() {
      isStopped = true;
      clearInterval(poll);
      clearTimeout(reconnect);
      await beginning;
      await listener?.end().catch(() => undefined);
    },
  };
}
