/** Choices of options about files. */

/** `ymd`, `mdy`, `dmy`: parts between `-`, `/` or `.`, years of four or two digits. */
export const DATE_ORDERS = ['ymd', 'mdy', 'dmy'] as const;

export type DateOrder = (typeof DATE_ORDERS)[number];

export const DECIMAL_MARKS = ['point', 'comma'] as const;

export type DecimalMark = (typeof DECIMAL_MARKS)[number];

/** The session of a bar: the date as written, the day after it, or the day before it. */
export const DATE_SHIFTS = ['written', 'next', 'previous'] as const;

export type DateShift = (typeof DATE_SHIFTS)[number];
