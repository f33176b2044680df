/** Asks `/technical` of a fixture server, and what the market's symbol `ABC` must answer. */

import { expect } from 'vitest';
import type { z } from 'zod';
import { errorSchema } from '../../../src/api/http/error-types.ts';
import { technicalSchema } from '../../../src/api/routes/technical/schema.ts';
import { dateFromDay } from '../../../src/base/time/dates.ts';
import { type FixtureServer, useFixtureServer } from './fixture-server.ts';
import { fixtureSymbols } from './market-fixture.ts';
import type { Reply } from './test-server.ts';

export type Technical = z.infer<typeof technicalSchema>;

const symbols = fixtureSymbols();
export const [abc, brk] = symbols;
export const splitDay = abc.splits[0].exDay;
/** Day numbers and dates of the bars of `ABC`. */
export const days = Array.from(abc.bars.timestampUs, (us) => Number(us / 86_400_000_000n));
export const dates = days.map(dateFromDay);

/** Prices of `ABC` before its split divided by the ratio, as the default adjustment has them. */
export function splitAdjusted(column: Float64Array): number[] {
  return Array.from(column, (value, row) => (days[row] < splitDay ? value / 3 : value));
}

export function closesOf({ candles }: Technical): number[] {
  return candles.map(({ close }) => close);
}

/** Requests take what follows `/technical/`. */
export interface TechnicalClient {
  get(rest: string, headers?: Record<string, string>): Promise<Reply>;
  /** Expects 200 and a body of the schema. */
  technical(rest: string): Promise<Technical>;
  /** Expects 400 and gives the message. */
  refusal(rest: string): Promise<string>;
}

/** @param publish As for `useFixtureServer`. */
export function useTechnicalClient(publish?: (folder: string) => Promise<void>): TechnicalClient {
  const fixture: FixtureServer = useFixtureServer({}, publish);
  const get: TechnicalClient['get'] = (rest, headers) =>
    fixture.server.get(`/v1/svc/technical/${rest}`, headers);
  return {
    get,
    async technical(rest) {
      const reply = await get(rest);
      expect(reply.status, reply.text.slice(0, 300)).toBe(200);
      return technicalSchema.parse(reply.json);
    },
    async refusal(rest) {
      const reply = await get(rest);
      expect(reply.status, reply.text.slice(0, 300)).toBe(400);
      return errorSchema.parse(reply.json).error.message;
    },
  };
}
