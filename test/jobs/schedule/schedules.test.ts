import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  configuredSchedules,
  MAINTENANCE_SOURCE,
  SCHEDULES,
  scheduledOptions,
  scheduleRows,
} from '../../../jobs/schedule/schedules.ts';
import { nextTick } from '../../../jobs/schedule/ticks.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { sources } from '../../../src/ingest/sources/sources.ts';

function configured(env: Record<string, string>): string[] {
  return configuredSchedules(settingsFromEnv(env))
    .filter(({ task }) => !task)
    .map(({ name, source }) => `${name}: ${source}`);
}

describe('the table of schedules', () => {
  it('names sources that there are, and rules that are due some time', () => {
    const names = [...sources.map(({ id }) => id), MAINTENANCE_SOURCE];
    for (const { source, rule } of SCHEDULES) {
      expect(names).toContain(source);
      expect(nextTick(rule, 0)).toBeGreaterThan(0);
    }
  });
});

describe('the page about jobs', () => {
  it('has the table', () => {
    const settings = settingsFromEnv({});
    const rows = scheduleRows(settings, 0).map(({ name, source, when, state }) => {
      const needs = state.replace('needs ', '').split(' and ');
      const needed = needs.map((one) => `\`${one}\``).join(', ');
      return `| ${name} | \`${source}\` | ${when} | ${state === 'runs' ? '' : needed} |`;
    });
    expect(readFileSync('docs/jobs.md', 'utf8')).toContain(
      `|---|---|---|---|\n${rows.join('\n')}\n`,
    );
  });
});

describe('a row in words', () => {
  const rowsOf = (env: Record<string, string>, now: string) =>
    scheduleRows(settingsFromEnv(env), Date.parse(now));

  it('says when it is next due on clocks in New York, half days included', () => {
    // The day after Thanksgiving ends at 13:00.
    const rows = rowsOf({ TAPEWORKS_MASSIVE_KEY: 'k' }, '2026-11-27T06:00:00Z');
    expect(rows.find(({ source }) => source === 'massive')).toEqual({
      name: 'days',
      source: 'massive',
      when: '45 minutes after the close',
      next: '2026-11-27 13:45',
      nextAt: '2026-11-27T18:45:00.000Z',
      runs: true,
      state: 'runs',
    });
  });

  it('shows the time that the table names on the days around a change of the clocks', () => {
    // Clocks change at 2 o'clock: hours since midnight were an hour off for the rest of the day.
    const dates = ['03-07', '03-08', '03-09', '10-31', '11-01', '11-02'];
    const nexts = dates.map((date) => {
      const rows = rowsOf({}, `2026-${date}T05:30:00Z`);
      return rows.filter(({ runs }) => runs).map(({ next, when }) => [next, when]);
    });
    expect(nexts).toEqual(
      dates.map((date) =>
        ['03:10', '03:20', '03:30', '04:15'].map((at) => [
          `2026-${date} ${at}`,
          `${at}, every day`,
        ]),
      ),
    );
  });

  it('says why it does not run', () => {
    const env = { TAPEWORKS_MASSIVE_KEY: 'k', TAPEWORKS_EODHD_KEY: 'k' };
    const states = rowsOf(env, '2026-11-27T06:00:00Z').map(
      ({ source, state }) => `${source} ${state}`,
    );
    expect(states).toContain('eodhd another source brings it');
    expect(states).toContain('tiingo needs TAPEWORKS_TIINGO_KEY and TAPEWORKS_WATCHLIST');
    const off = rowsOf({ TAPEWORKS_SCHEDULE: 'off' }, '2026-11-27T06:00:00Z');
    expect(new Set(off.map(({ state }) => state))).toEqual(
      new Set(['needs TAPEWORKS_SCHEDULE other than off']),
    );
  });
});

describe('the request of a schedule', () => {
  const settings = settingsFromEnv({
    TAPEWORKS_WATCHLIST: 'SPY',
    TAPEWORKS_ALPACA_KEY: 'a:b',
    TAPEWORKS_CONTACT: 'me@example.com',
    TAPEWORKS_SCHEDULE: 'rss',
    TAPEWORKS_RSS_FEEDS: 'https://example.com/feed',
  });
  const asked = (name: string) => {
    const schedule = configuredSchedules(settings).find((one) => one.name === name);
    // A Friday evening in New York, Saturday in UTC.
    return scheduledOptions(schedule!, settings, Date.parse('2026-11-21T01:00:00Z'));
  };

  it('is bounded: minutes of the day of the tick where none are stored, filings of a week', () => {
    const friday = dayFromDate('2026-11-20');
    expect(asked('minutes')).toEqual({ interval: '1m', firstDay: friday, symbols: ['SPY'] });
    expect(asked('insiders')).toEqual({ fromDay: friday - 7 });
  });

  it('is what the source needs: feeds of news, nothing of days', () => {
    expect(asked('news')).toEqual({ paths: ['https://example.com/feed'] });
    expect(asked('days')).toEqual({});
  });
});

describe('schedules that run', () => {
  it('are those of maintenance alone without a source that is configured', () => {
    const tasks = (env: Record<string, string>) =>
      configuredSchedules(settingsFromEnv(env)).map(({ task }) => task);
    expect(tasks({})).toEqual(['retention', 'roll-up', 'integrity', 'compact']);
    expect(tasks({ TAPEWORKS_SCHEDULE: 'off' })).toEqual([]);
    expect(configured({})).toEqual([]);
    expect(configured({ TAPEWORKS_WATCHLIST: 'AAPL' })).toEqual([]);
  });

  it('follow from keys, the contact and the sources that are named', () => {
    expect(configured({ TAPEWORKS_MASSIVE_KEY: 'k', TAPEWORKS_ALPACA_KEY: 'a:b' })).toEqual([
      'days: massive',
    ]);
    expect(configured({ TAPEWORKS_ALPACA_KEY: 'a:b', TAPEWORKS_WATCHLIST: 'SPY' })).toEqual([
      'minutes: alpaca',
      'days: alpaca',
    ]);
    expect(configured({ TAPEWORKS_CONTACT: 'me@example.com' })).toEqual([
      'symbols: symbols',
      'insiders: form4',
    ]);
    expect(configured({ TAPEWORKS_CONTACT: 'me@example.com', TAPEWORKS_SCHEDULE: 'sec' })).toEqual([
      'symbols: symbols',
      'filings: sec',
      'insiders: form4',
    ]);
    expect(configured({ TAPEWORKS_SCHEDULE: 'sec' })).toEqual([]);
    expect(configured({ TAPEWORKS_SCHEDULE: 'rss,nasdaq,cboe' })).toEqual([
      'news: rss',
      'earnings dates: nasdaq',
    ]);
  });

  it('ask for the watchlist where a source serves single symbols', () => {
    const env = {
      TAPEWORKS_SCHEDULE: 'yahoo',
      TAPEWORKS_CONTACT: 'me@example.com',
      TAPEWORKS_WATCHLIST: 'AAPL,MSFT',
    };
    const settings = settingsFromEnv(env);
    const filings = configuredSchedules(settings).find(({ name }) => name === 'filings');
    expect(scheduledOptions(filings!, settings, 0)).toEqual({ symbols: ['AAPL', 'MSFT'] });
    expect(configured(env)).toContain('days: yahoo');
    const named = { TAPEWORKS_CONTACT: 'me@example.com', TAPEWORKS_SCHEDULE: 'sec' };
    const bulk = configuredSchedules(settingsFromEnv(named));
    expect(bulk.find(({ name }) => name === 'filings')?.options).toEqual({ bulk: true });
  });

  it('are none where they are switched off', () => {
    expect(configured({ TAPEWORKS_SCHEDULE: 'off', TAPEWORKS_MASSIVE_KEY: 'k' })).toEqual([]);
  });
});
