/** Days and moments as people read them. Markets keep New York's time, so moments show that. */

const LOCALE = 'en-GB';
export const ZONE = 'America/New_York';

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
  minute: 'numeric',
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

/** Moment of this year, without the year: `20 Nov, 16:00 EST`. */
export function recentText(moment: string): string {
  return withZoneName(recentFormat.format(Date.parse(moment)));
}

const offsets = new Map<number, number>();

/** Milliseconds that New York is ahead of UTC (negative). Trading never crosses a change of it. */
export function newYorkOffsetMs(momentMs: number): number {
  const day = Math.floor(momentMs / DAY_MS);
  const known = offsets.get(day);
  if (known !== undefined) return known;
  // Noon in UTC is a morning in New York, after any change of the clocks.
  const noon = day * DAY_MS + DAY_MS / 2;
  const parts = Object.fromEntries(
    newYorkParts.formatToParts(noon).map(({ type, value }) => [type, Number(value)]),
  );
  const local = Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute);
  offsets.set(day, local - noon);
  return local - noon;
}

/** Day in New York of a moment, as milliseconds of its midnight in UTC. */
export function newYorkDayMs(momentMs: number): number {
  const local = momentMs + newYorkOffsetMs(momentMs);
  return Math.floor(local / DAY_MS) * DAY_MS;
}

export function isoDay(dayMs: number): string {
  return new Date(dayMs).toISOString().slice(0, 10);
}

/** Age in the largest fitting unit: `3 days`. */
export function ageText(ageMs: number): string {
  const minutes = Math.max(0, Math.round(ageMs / 60_000));
  const [count, unit] =
    minutes < 90
      ? [minutes, 'minute']
      : minutes < 36 * 60
        ? [Math.round(minutes / 60), 'hour']
        : [Math.round(minutes / 1440), 'day'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
