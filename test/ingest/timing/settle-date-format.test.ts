import { describe, expect, it } from 'vitest';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { settleDateFormat } from '../../../src/ingest/timing/settle-date-format.ts';

const today = dayFromDate('2026-11-20');
const settle = (dates: readonly string[]) => settleDateFormat(dates, today, undefined);
const REFUSED = { reason: expect.stringContaining('its dates are ambiguous'), needsMoreRows: true };

describe('dates whose month and day may be either', () => {
  it('are sessions in a row in one order, which leaves months out in the other', () => {
    const days = ['03', '04', '05', '08', '09'];
    expect(settle(days.map((day) => `01/${day}/2024`))).toBe('mdy');
    expect(settle(days.map((day) => `${day}.01.2024`))).toBe('dmy');
  });

  it('are left open if they may be of months', () => {
    expect(settle(['01/02/2024', '01/03/2024', '01/04/2024'])).toEqual(REFUSED);
  });

  it('are sessions in a row if they have minutes', () => {
    const days = ['03/04/2024', '03/05/2024', '03/06/2024'];
    const times = ['09:30', '09:31', '09:32'];
    const stamps = days.flatMap((day) => times.map((time) => `${day} ${time}`));
    expect(settle(stamps)).toBe('mdy');
    expect(settle(stamps.slice(0, 6))).toEqual(REFUSED);
  });

  // The message called a date of another format one of today.
  it('are named in each format if no date has all of them', () => {
    expect(settle(['2024-01-02', '01/03/2024', '2024-01-04', '01/25/2024'])).toEqual({
      reason:
        'its dates have several formats: "2024-01-02" (ymd), "01/03/2024" (mdy); write them in one',
      needsMoreRows: true,
    });
  });
});
