/** Finds a file's decimal mark in texts with points, commas, blanks and apostrophes. */

import { DECIMAL_MARKS, type DecimalMark } from '../contract/choices.ts';

const BLANKS = ' \u00a0\u2009\u202f';

/** Signs between thousands in any file: blanks of all widths, and apostrophes. */
export const GROUP_SIGNS = `${BLANKS}'\u2019`;

/**
 * Pattern of a number by its decimal mark, for both engines of regular expressions. The other sign
 * may stand between thousands, as may a blank or an apostrophe.
 */
export const NUMBER_PATTERNS: Record<DecimalMark, string> = {
  point: numberPattern('[.]', ','),
  comma: numberPattern(',', '[.]'),
};

function numberPattern(mark: string, other: string): string {
  const groups = [other, `[${GROUP_SIGNS}]`].map((sign) => `[1-9]\\d{0,2}(${sign}\\d{3})+`);
  // `1,23,456`, as India groups digits.
  const whole = other === ',' ? [...groups, '[1-9]\\d?(,\\d\\d)+,\\d{3}'] : groups;
  const number = `[+-]?(${whole.join('|')}|\\d+)?(${mark}\\d*)?([eE][+-]?\\d+)?`;
  // Quebec writes `167,72 $`, and Paris `167,72 $US`, with a narrow blank.
  return `((USD|(US)?[$]) ?)?${number}([${BLANKS}]?(USD|(US)?[$]|[$]US))?`;
}

/** Signs of dollars before or behind a number, which is cast without them. */
export const DOLLAR_SIGNS = '$USD';

const PATTERNS = {
  point: new RegExp(`^${NUMBER_PATTERNS.point}$`),
  comma: new RegExp(`^${NUMBER_PATTERNS.comma}$`),
};

/** Multiples behind a volume, as powers of ten: `42.67M`, `12.3万`. */
export const MULTIPLES: Readonly<Record<string, number>> = {
  ...{ K: 3, M: 6, B: 9, T: 12 },
  ...{ 万: 4, 萬: 4, 만: 4, 亿: 8, 億: 8, 억: 8 },
};

const MULTIPLE = new RegExp(`\\s?[${Object.keys(MULTIPLES).join('')}]$`, 'i');

/** Mark that a text shows: the only possible one, `either` with two values, or none. */
export function markOfText(text: string): DecimalMark | 'either' | undefined {
  const number = text.trim().replace(MULTIPLE, '');
  if (!/\d/.test(number)) return undefined;
  const [point, comma] = DECIMAL_MARKS.map((mark) => PATTERNS[mark].test(number));
  if (!point && !comma) return undefined;
  if (!comma) return 'point';
  if (!point) return 'comma';
  // Without a mark both read the same.
  return /[.,]/.test(number) ? 'either' : undefined;
}

/** The first text of each kind that the numbers of a file showed. */
export interface MarkEvidence {
  hasCommas: boolean;
  point?: string;
  comma?: string;
  openPrices: Partial<Record<DecimalMark, string>>;
  openVolumes: Partial<Record<DecimalMark, string>>;
}

export function noMarkEvidence(): MarkEvidence {
  return { hasCommas: false, openPrices: {}, openVolumes: {} };
}

export function addMarkEvidence(evidence: MarkEvidence, text: string, isVolume: boolean): void {
  const mark = markOfText(text);
  if (mark === undefined) return;
  evidence.hasCommas ||= text.includes(',');
  if (mark !== 'either') evidence[mark] ??= text;
  else {
    const open = isVolume ? evidence.openVolumes : evidence.openPrices;
    open[text.includes(',') ? 'comma' : 'point'] ??= text;
  }
}

/** A fact that one mark explains, and the other does not. */
export interface MarkFact {
  mark: DecimalMark;
  fact: string;
}

/**
 * Facts about the decimal mark of a file with commas in its numbers. A number that only one mark
 * explains decides. Volumes are whole numbers, so that a sign in them alone, or another sign than
 * in the prices, stands between thousands.
 */
export function markFacts({ point, comma, openPrices, openVolumes }: MarkEvidence): MarkFact[] {
  const certain = Object.entries({ point, comma }).flatMap(([mark, text]) =>
    text === undefined
      ? []
      : [{ mark: mark as DecimalMark, fact: `"${text}" has a decimal ${mark}` }],
  );
  if (certain.length > 0) return certain;
  const price = openPrices.comma;
  const volume = openVolumes.comma;
  if (price === undefined && volume !== undefined) {
    return [{ mark: 'point', fact: `only volumes have commas ("${volume}")` }];
  }
  if (price === undefined || openPrices.point !== undefined) return [];
  const isApart = openVolumes.point !== undefined && volume === undefined;
  return isApart
    ? [{ mark: 'comma', fact: `prices have commas and volumes points ("${openVolumes.point}")` }]
    : [];
}
