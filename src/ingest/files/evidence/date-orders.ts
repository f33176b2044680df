/** Finds files that write day and month in two orders, by rows whose dates fit another order alone. */

import type { Scratch } from '../../segments/scratch.ts';
import { sqlString } from '../../segments/sql-text.ts';
import { type DateFormat, dateSql } from '../../timing/date-format.ts';
import { ORDERS } from '../../timing/settle-date-format.ts';

/** Rows at least, and a part of a file as a divisor, that show another order of day and month. */
const [ORDER_ROWS_MIN, ORDER_PART] = [3, 100];

const DAY_FIRST =
  "regexp_matches(date_text, '^\\d{4}([-/.](1[3-9]|2\\d|3[01])[-/.](0?\\d|1[0-2])|(1[3-9]|2\\d|3[01])(0\\d|1[0-2]))(\\D|$)')";

interface OtherOrder {
  /** SQL that is true for a date in another order. */
  isOther: string;
  reason: string;
}

const YEAR_FIRST: OtherOrder = {
  isOther: DAY_FIRST,
  reason: 'its dates have the day before the month: write them as 2026-01-31',
};

/** Dates of a format's rows in another order, and why such files are refused. */
const OTHER_ORDERS: Partial<Record<DateFormat, OtherOrder>> = {
  mdy: { isOther: `${dateSql('date_text', 'dmy')} IS NOT NULL`, reason: ORDERS },
  dmy: { isOther: `${dateSql('date_text', 'mdy')} IS NOT NULL`, reason: ORDERS },
  ymd: YEAR_FIRST,
  compact: YEAR_FIRST,
};

/** A file with the place of its rows in `text_rows`. */
interface DatedFile {
  index: number;
  dialect: { dateFormat: DateFormat };
}

/** Refuses files with dates of which some fit one order of day and month alone, and some the other. */
export async function refuseOrders(scratch: Scratch, files: readonly DatedFile[]): Promise<void> {
  const connection = await scratch.connect();
  for (const [format, ordered] of Map.groupBy(files, ({ dialect }) => dialect.dateFormat)) {
    const other = OTHER_ORDERS[format];
    if (other === undefined) continue;
    await connection.run(`
      UPDATE series_of SET reason = coalesce(reason, ${sqlString(other.reason)})
      WHERE is_asked AND file_index IN (
        SELECT file_index FROM text_rows WHERE file_index IN (${ordered.map(({ index }) => index)})
        GROUP BY 1
        HAVING count(*) FILTER (ts IS NULL AND ${other.isOther})
          >= greatest(${ORDER_ROWS_MIN}, count(*) / ${ORDER_PART}))`);
  }
}
