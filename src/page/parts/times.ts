/** Days and moments as people read them. Markets keep New York's time, so moments show that. */

const LOCALE = 'en-GB';
export const ZONE = 'America/New_York';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

const dayFormat = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });
const weekdayFormat = new Intl.DateTimeFormat(LOCALE, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const monthFormat = new Intl.DateTimeFormat(LOCALE, {
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const momentFormat = new Intl.DateTimeFormat(LOCALE, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: ZONE,
  timeZoneName: 'short',
});

const recentFormat = new Intl.DateTimeFormat(LOCALE, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: ZONE,
  timeZoneName: 'short',
});

const newYorkParts = new Intl.DateTimeFormat('en-US', {
  timeZone: ZONE,
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
});

/** Zones as abbreviations that Americans use; this locale gives offsets for them. */
function withZoneName(text: string): string {
  return text.replace('GMT-5', 'EST').replace('GMT-4', 'EDT');
}

/** @param day `2026-11-20`, or milliseconds of its midnight in UTC. */
export function dayText(day: string | number): string {
  return dayFormat.format(typeof day === 'string' ? Date.parse(day.slice(0, 10)) : day);
}

export function weekdayText(dayMs: number): string {
  return weekdayFormat.format(dayMs);
}

export function monthText(day: string): string {
  return monthFormat.format(Date.parse(day.slice(0, 10)));
}

/** Moment in New York with its zone: `20 Nov 2026, 16:00 EST`. */
export function momentText(moment: string | number): string {
  return withZoneName(
    momentFormat.format(typeof moment === 'string' ? Date.parse(moment) : moment),
  );
}

/** Day of a date, which the API gives as its midnight in UTC; any other moment with its zone. */
export function dayOrMomentText(moment: string): string {
  return moment.endsWith('T00:00:00.000Z') ? dayText(moment) : momentText(moment);
}

/** Moment, without the year if that is this one: `20 Nov, 16:00 EST`. */
export function recentText(moment: string): string {
  const ms = Date.parse(moment);
  if (new Date(ms).getUTCFullYear() !== new Date().getUTCFullYear()) return momentText(moment);
  return withZoneName(recentFormat.format(ms));
}

const offsets = new Map<number, number>();

/** Milliseconds that New York is ahead of UTC (negative). */
export function newYorkOffsetMs(momentMs: number): number {
  // Clocks change on the hour.
  const hourMs = Math.floor(momentMs / HOUR_MS) * HOUR_MS;
  const known = offsets.get(hourMs);
  if (known !== undefined) return known;
  const parts = Object.fromEntries(
    newYorkParts.formatToParts(hourMs).map(({ type, value }) => [type, Number(value)]),
  );
  const offset = Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour) - hourMs;
  offsets.set(hourMs, offset);
  return offset;
}

/**
 * New York's wall time as milliseconds that always rise: the hour that clocks show twice in autumn
 * holds both, at half their length.
 */
export function newYorkWallMs(momentMs: number): number {
  const hourMs = Math.floor(momentMs / HOUR_MS) * HOUR_MS;
  const offset = newYorkOffsetMs(hourMs);
  const pastMs = momentMs - hourMs;
  if (newYorkOffsetMs(hourMs + HOUR_MS) < offset) return hourMs + offset + pastMs / 2;
  if (newYorkOffsetMs(hourMs - HOUR_MS) > offset) return hourMs + offset + (HOUR_MS + pastMs) / 2;
  return momentMs + offset;
}

/** Day in New York of a moment, as milliseconds of its midnight in UTC. */
export function newYorkDayMs(momentMs: number): number {
  const local = momentMs + newYorkOffsetMs(momentMs);
  return Math.floor(local / DAY_MS) * DAY_MS;
}

export function isoDay(dayMs: number): string {
  return new Date(dayMs).toISOString().slice(0, 10);
}

const YEAR_MINUTES = 365.25 * 1440;

/** Age in the largest fitting unit: `3 days`. */
export function ageText(ageMs: number): string {
  const minutes = Math.round(ageMs / 60_000);
  if (minutes < 1) return 'less than a minute';
  const [count, unit] =
    minutes < 90
      ? [minutes, 'minute']
      : minutes < 36 * 60
        ? [Math.round(minutes / 60), 'hour']
        : minutes < 2 * YEAR_MINUTES
          ? [Math.round(minutes / 1440), 'day']
          : [Math.floor(minutes / YEAR_MINUTES), 'year'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
