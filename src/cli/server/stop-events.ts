/** When a long-running command has to stop. */

/** Calls once: at the first SIGINT or SIGTERM, or when the supervisor that holds a channel is gone. */
export function onStop(stop: () => void): void {
  for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(event, stop);
  // It has gone before anybody listened; without a channel this is undefined.
  if (process.connected === false) stop();
}
