/** Synthetic files of minutes of many kinds, thin ones above all. Labelled so: nothing traded them. */

import {
  newYorkMomentMs,
  sessionCloseMs,
  sessionOpenMs,
  sessionsBetween,
} from '../../../src/base/time/calendar.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { seededRandom } from '../../faults/scale.ts';
import { clockOf, type MadeBar } from './made-sessions.ts';

export interface MadeFile {
  symbol: string;
  /** Choices that made it, for a message. */
  kind: string;
  zone: string;
  isAtEnd: boolean;
  /** Part of the minutes of sessions that have a bar. */
  density: number;
  /** Minutes after the open and before the close that were cut away. */
  cut: readonly [number, number];
  bars: MadeBar[];
  text: string;
}

const OTHER_ZONES = [
  ...['America/Chicago', 'America/Los_Angeles', 'Etc/GMT+5', 'America/Sao_Paulo', 'Europe/London'],
  ...['Europe/Berlin', 'Asia/Kolkata', 'Asia/Tokyo', 'Australia/Sydney', 'America/Halifax'],
];
/** First days of files: plain weeks, half days, and weeks with changes of clocks. */
const FROM = ['2024-01-08', '2024-03-04', '2024-03-27', '2024-06-28', '2024-10-28', '2024-11-25'];
const DENSITIES = [1, 0.95, 0.6, 0.3, 0.15, 0.06, 0.02, 0.008];
/** Minutes cut away after the open and before the close: halves of days, and hours between. */
const CUTS = [
  ...[
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
  ],
  ...[
    [0, 240],
    [180, 0],
    [60, 60],
    [90, 150],
  ],
] as const;
/** Minutes after midnight from which and to which there are extended hours, and their density. */
const EXTENDED = [
  ...[undefined, undefined, undefined, [240, 1200, 0.05], [240, 1200, 0.3], [240, 1200, 1]],
  ...[
    [480, 1080, 0.2],
    [420, 1020, 0.1],
    [240, 570, 0.2],
    [570, 1200, 0.1],
  ],
] as const;

/** Makes files by the numbers from 0 to `count`; each is the same in every run. */
export function madeMinuteFiles(count: number): MadeFile[] {
  return Array.from({ length: count }, (_, index) => madeMinuteFile(index));
}

export function madeMinuteFile(index: number): MadeFile {
  const random = seededRandom(index * 7919 + 17);
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)];
  const place = random();
  const zone = place < 0.45 ? 'America/New_York' : place < 0.65 ? 'UTC' : pick(OTHER_ZONES);
  const isAtEnd = random() < 0.4;
  const step = random() < 0.75 ? 1 : 5;
  const hasVolume = random() < 0.75;
  const density = pick(DENSITIES);
  const cut = pick(CUTS);
  const extended = cut[0] + cut[1] > 0 ? undefined : pick(EXTENDED);
  const hasClosingBar = !isAtEnd && random() < 0.25;
  const [from, days] = [pick(FROM), pick([1, 1, 2, 3, 5, 10, 20])];
  const bars: MadeBar[] = [];
  const all = [...sessionsBetween(dayFromDate(from), dayFromDate(from) + 40)].slice(0, days);
  for (const day of all) {
    const [openMs, closeMs] = [sessionOpenMs(day), sessionCloseMs(day)];
    const [firstMs, endMs] = extended
      ? [newYorkMomentMs(day, extended[0]), newYorkMomentMs(day, extended[1])]
      : [openMs + cut[0] * 60_000, closeMs - cut[1] * 60_000];
    for (let startMs = firstMs; startMs < endMs; startMs += step * 60_000) {
      const isRegular = startMs >= openMs && startMs < closeMs;
      const at = (startMs - openMs) / (closeMs - openMs);
      // Trading is densest at the open and the close, and extended hours fall off from them.
      const smile = isRegular
        ? 0.5 + (2 * at - 1) ** 2
        : 1.5 * Math.exp(-2 * Math.max(-at, at - 1));
      const isOpen = startMs === openMs;
      const isLast = startMs + step * 60_000 === closeMs;
      const share = density * (isRegular ? 1 : (extended?.[2] ?? 0));
      const dense = 1 - (1 - Math.min(share, 1)) ** step;
      const chance = share === 1 ? 1 : Math.min(dense * smile * (isOpen || isLast ? 2 : 1), 1);
      const noise = Math.exp((random() + random() + random() - 1.5) * 2);
      if (random() >= chance) continue;
      const height = isOpen || isLast ? 8 : smile;
      const volume = Math.ceil(step * noise * height * (isRegular ? 400 : 40));
      bars.push({ startMs, volume });
    }
    // Some feeds give the closing auction a bar of its own, at the close.
    if (hasClosingBar && cut[1] === 0 && random() < Math.max(density, 0.3)) {
      if (!bars.some(({ startMs }) => startMs === closeMs)) {
        bars.push({ startMs: closeMs, volume: 9000 });
      }
    }
  }
  bars.sort((a, b) => a.startMs - b.startMs);
  const endMs = isAtEnd ? step * 60_000 : 0;
  const lines = bars.map(({ startMs, volume }) => {
    return `${clockOf(startMs + endMs, zone)},50,50.2,49.8,50.1${hasVolume ? `,${volume}` : ''}`;
  });
  const kind = [
    zone,
    isAtEnd ? 'end' : 'start',
    `${step}m`,
    `density ${density}`,
    from,
    `${days} d`,
  ];
  if (extended) kind.push(`extended ${extended}`);
  if (cut[0] + cut[1] > 0) kind.push(`cut ${cut}`);
  if (hasClosingBar) kind.push('closing bar');
  if (!hasVolume) kind.push('no volume');
  const letters = [17576, 676, 26, 1].map(
    (unit) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[Math.floor(index / unit) % 26],
  );
  return {
    ...{
      symbol: `Q${letters.slice(1).join('')}`,
      kind: kind.join(', '),
      zone,
      isAtEnd,
      density,
      cut,
      bars,
    },
    text: `datetime,open,high,low,close${hasVolume ? ',volume' : ''}\n${lines.join('\n')}\n`,
  };
}
