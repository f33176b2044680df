/** Events of one webhook: each publish has its event, once, and the receiver got each. */

import { ask } from '../cli/support/ask.ts';
import type { Receiver } from '../jobs/webhooks/receiver.ts';
import type { Target } from './client.ts';

const TYPES = ['data.ready', 'candles.updated'];

/** First and last session of a publish. */
export type Range = readonly [from: string, to: string];

export interface FleetEvents {
  /** Says what is missing or too much; empty if nothing is. */
  problem(ranges: readonly Range[]): Promise<string>;
  /** Events that the receiver got, and how often it got one again. */
  counts(): { events: number; repeats: number };
}

/**
 * Creates the webhook.
 *
 * @param host Address of the receiver for all that deliver.
 * @param query Reads the shared accounts.
 */
export async function subscribe(
  { address, headers }: Target,
  { port, got }: Receiver,
  host: string,
  query: (text: string) => Promise<Record<string, unknown>[]>,
): Promise<FleetEvents> {
  const body = JSON.stringify({ url: `http://${host}:${port}/`, events: TYPES });
  const json = { ...headers, 'Content-Type': 'application/json' };
  const sent = { method: 'POST', headers: json, body };
  const { status, text } = await ask(`${address}/v1/svc/webhooks`, sent);
  if (status !== 201) throw new Error(`no webhook: ${status} ${text}`);
  const distinct = () => new Map(got.map(({ event }) => [event.id, event]));

  async function problem(ranges: readonly Range[]): Promise<string> {
    const rows = await query(
      `SELECT events.id, status FROM deliveries JOIN events ON events.seq = deliveries.event`,
    );
    const open = rows.filter((row) => row.status !== 'delivered');
    if (open.length > 0) return `${open.length} deliveries are ${open[0].status}`;
    const events = distinct();
    const lost = rows.filter(({ id }) => !events.has(String(id)));
    if (lost.length > 0) return `${lost.length} delivered events were never received`;
    const told = [...events.values()];
    const versions = told.filter(({ type }) => type === TYPES[0]).map(({ data }) => data.version);
    if (new Set(versions).size < versions.length) return `two events of a version: ${versions}`;
    const loads = told.filter(({ type }) => type === TYPES[1]).map(({ data }) => String(data.from));
    for (const [from, to] of ranges) {
      const count = loads.filter((day) => day >= from && day.slice(0, 10) <= to).length;
      const isRight = from === to ? count === 1 : count > 0;
      if (!isRight) return `${count} events of the load of ${from} to ${to}: ${loads}`;
    }
    return '';
  }

  return {
    problem,
    counts: () => ({ events: distinct().size, repeats: got.length - distinct().size }),
  };
}
