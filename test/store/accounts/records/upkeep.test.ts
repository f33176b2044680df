import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { Mode } from '../../../../src/base/config/data-dir.ts';
import { limits } from '../../../../src/base/limits.ts';
import { postgresSql } from '../../../../src/fleet/postgres/sql.ts';
import type { ValidKey } from '../../../../src/store/accounts/keys/key-record.ts';
import { sqliteSql } from '../../../../src/store/accounts/sqlite/sql.ts';
import { rollUpUsage } from '../../../../src/store/accounts/usage/usage-months.ts';
import type { UsageFilter } from '../../../../src/store/accounts/usage/usage-report.ts';
import { long } from '../../../support/store-runs.ts';
import { overDatabases, START_DAY } from '../support/use-accounts.ts';

overDatabases((fixture) => {
  const DAY_MS = 86_400_000;
  const countOf = async (sql: string) => {
    const [{ count }] = await fixture.query(`SELECT count(*) AS count FROM ${sql}`);
    return Number(count);
  };

  /** A pinned sequence of numbers from 0 to `max` − 1 (Lehmer). */
  function random(seed: number) {
    let state = seed;
    return (max: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % max;
    };
  }

  /** Use of several keys over seven months, counted as requests are. */
  async function useOfMonths(): Promise<string[]> {
    const pick = random(1);
    const keys: ValidKey[] = [];
    for (const mode of ['live', 'sandbox'] as Mode[]) {
      for (const account of ['a', 'b']) keys.push(await fixture.validKey({ account, mode }));
    }
    for (let i = 0; i < 600; i++) {
      fixture.accounts.count({
        key: keys[pick(keys.length)],
        atMs: (START_DAY - pick(200)) * DAY_MS + pick(DAY_MS),
        endpoint: ['/svc/symbols', '/svc/candles', '(none)'][pick(3)],
        method: ['GET', 'HEAD'][pick(2)],
        isError: pick(5) === 0,
        tokens: pick(7),
      });
      if (pick(100) === 0) fixture.accounts.flush();
    }
    await fixture.writeUsage();
    return keys.map(({ id }) => id);
  }

  /** All that both routes of usage may be asked of these days. */
  async function answers(keys: readonly string[]): Promise<unknown[]> {
    const pick = random(1);
    const rows: unknown[] = [];
    for (let i = 0; i < 25; i++) {
      const fromDay = START_DAY - pick(250);
      const filter: UsageFilter = {
        mode: (['live', 'sandbox'] as const)[pick(2)],
        fromDay,
        toDay: fromDay + pick(200),
        rowsMax: [3, 100_000][pick(2)],
        ...(pick(3) === 0 && { keyId: keys[pick(keys.length)] }),
        ...(pick(3) === 0 && { endpoint: '/svc/candles' }),
      };
      const account = ['a', 'b'][pick(2)];
      rows.push(
        await fixture.accounts.dailyUsage({ ...filter, account }),
        await fixture.accounts.dailyKeyUsage({ ...filter, ...(pick(2) === 0 && { account }) }),
      );
    }
    return rows;
  }

  describe('usage that is rolled up', () => {
    it('gives every report as before, wherever a run has ended', async () => {
      const keys = await useOfMonths();
      const before = await answers(keys);
      const days = await countOf('usage');
      const { path, url } = fixture.place;
      const db = new DatabaseSync(path);
      const postgres = url === undefined ? undefined : postgresSql(url);
      const sql = postgres ?? sqliteSql(db, path);
      let rolledDays = 0;
      let runs = 0;
      for (;;) {
        const rolled = await rollUpUsage(sql, START_DAY, 1);
        if (rolled.keyMonths === 0) break;
        rolledDays += rolled.days;
        if (runs++ % 9 === 0) expect(await answers(keys)).toEqual(before);
      }
      await postgres?.close();
      db.close();
      expect(runs).toBeGreaterThan(20);
      expect(await countOf('usage')).toBe(days - rolledDays);
      expect(await answers(keys)).toEqual(before);
      expect(await fixture.accounts.rollUp()).toEqual({ days: 0, keyMonths: 0 });
    });

    it('takes up what was counted late for a day that is rolled up', async () => {
      const key = await fixture.validKey();
      const atMs = (START_DAY - 200) * DAY_MS;
      const use = { key, atMs, endpoint: '/svc/candles', method: 'GET', isError: false, tokens: 2 };
      const all = {
        account: 'default',
        mode: 'live',
        fromDay: 0,
        toDay: 99_999,
        rowsMax: 9,
      } as const;
      const report = async () =>
        (await fixture.accounts.dailyUsage(all)).map(({ day, callCount, tokensUsed }) => ({
          ...{ day, callCount, tokensUsed },
        }));
      for (const [calls] of [[1], [2]]) {
        fixture.accounts.count(use);
        await fixture.writeUsage();
        const expected = [{ day: START_DAY - 200, callCount: calls, tokensUsed: 2 * calls }];
        expect(await report()).toEqual(expected);
        expect(await fixture.accounts.rollUp()).toEqual({ days: 1, keyMonths: 1 });
        expect(await report()).toEqual(expected);
      }
      expect([await countOf('usage'), await countOf('usage_months')]).toEqual([0, 1]);
    });

    it('leaves the last two months as they are', async () => {
      const key = await fixture.validKey();
      for (const daysAgo of [0, 30, 62, 100]) {
        const atMs = (START_DAY - daysAgo) * DAY_MS;
        fixture.accounts.count({
          ...{ key, atMs, endpoint: '/svc/candles', method: 'GET', isError: false, tokens: 1 },
        });
      }
      await fixture.writeUsage();
      // 5 January: November is whole only from 1 February on.
      expect(await fixture.accounts.rollUp()).toEqual({ days: 1, keyMonths: 1 });
      expect(await countOf('usage')).toBe(3);
    });
  });

  describe('events', () => {
    const event = (id: string) => ({
      ...{ id, type: 'data.ready' as const, occurredAtMs: 0, symbols: undefined, data: {} },
    });

    it('go after a week with their deliveries, also where no new ones come', async () => {
      const { accounts, clock } = fixture;
      const { account } = await fixture.validKey();
      await accounts.createWebhook({
        ...{ account, mode: 'live', url: 'https://example.com/', events: ['data.ready'] },
      });
      await accounts.addEvents('live', [event('evt_1'), event('evt_2')]);
      clock.nowMs += limits.webhook.keptMs - 1;
      await accounts.addEvents('live', [event('evt_3')]);
      expect(await fixture.accounts.removeOld()).toBe(0);
      clock.nowMs += 1;
      expect(await fixture.accounts.removeOld()).toBe(2);
      expect([await countOf('events'), await countOf('deliveries')]).toEqual([1, 1]);
      expect(await fixture.accounts.removeOld()).toBe(0);
    });

    long('go in small steps, however many they are', async () => {
      const { accounts, clock } = fixture;
      const count = 2.5 * limits.retention.eventsAtOnce;
      await accounts.addEvents(
        'live',
        Array.from({ length: count }, (_, i) => event(`evt_${i}`)),
      );
      clock.nowMs += limits.webhook.keptMs;
      expect(await fixture.accounts.removeOld()).toBe(count);
      expect(await countOf('events')).toBe(0);
    });
  });
});
