/** A study as a request asks for it, and the plans of its texts. */

import { ParameterError } from '../../base/errors.ts';
import { type ScreenFieldName, screenField } from '../../base/fields.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { quoted } from '../../base/quoted.ts';
import { ExpressionError } from '../../screens/language/expression-error.ts';
import type { OwnNames } from '../../screens/language/scope.ts';
import { compileScreen } from '../../screens/plan/compile.ts';
import type { ScreenPlan } from '../../screens/plan/screen-plan.ts';
import type { Entry } from '../../screens/study/signal-returns.ts';
import type { StudyMode } from '../../screens/study/signal-rows.ts';
import type { Format } from '../http/format.ts';

export const STUDY_ROWS = ['summary', 'groups', 'days', 'events', 'deciles'] as const;
export type StudyRows = (typeof STUDY_ROWS)[number];

/** Groups by a period of the signal's day. */
export const PERIODS = ['year', 'month', 'none'] as const;

export interface StudyRequest {
  /** The condition; undefined for a factor. */
  where: string | undefined;
  /** A number whose tenths are compared; undefined for a condition. */
  factor: string | undefined;
  mode: StudyMode;
  entry: Entry;
  horizons: readonly number[];
  /** Days of signals, inclusive; undefined: all. */
  fromDay: number | undefined;
  toDay: number | undefined;
  /** A condition as of each day, or the name of a universe; undefined: all symbols. */
  universe: string | undefined;
  /** A period, or a field with texts. */
  by: string;
  /** Values of `$` parameters, as given. */
  parameters: Readonly<Record<string, string>>;
  /** True if fields that have no past take the value of today. */
  hasCurrentFields: boolean;
  rows: StudyRows;
  format: Format;
}

/** A study over a version with these names. */
export type NamedStudy = StudyRequest & { own: OwnNames };

/** A universe by its name, which is no condition. */
const UNIVERSE_NAME = /^\s*@?([a-z0-9_]+)\s*$/i;

/** Parameters of a study that have an expression. */
export type StudyText = 'where' | 'factor' | 'universe';

/**
 * Compiles an expression of a study; that of a factor is the plan's `sort`.
 *
 * @throws {ParameterError} It breaks a rule of the language, or reads a field without a past.
 */
export function studyPlan(
  field: StudyText,
  text: string,
  { hasCurrentFields, own }: Pick<NamedStudy, 'hasCurrentFields' | 'own'>,
): ScreenPlan {
  const name = field === 'universe' ? UNIVERSE_NAME.exec(text)?.[1].toLowerCase() : undefined;
  if (name !== undefined) requireUniverse(name, own);
  const whole = name === undefined ? text : `in universe('${name}')`;
  const texts = field === 'factor' ? { sort: whole } : { where: whole };
  const plan = namedAs(field, () => compileScreen(texts, own));
  for (const name of plan.fields) requirePast(field, text, name, hasCurrentFields);
  return plan;
}

/** @throws {ParameterError} The version has no such universe. */
function requireUniverse(name: string, { universes }: OwnNames): void {
  if (universes.includes(name)) return;
  const nearest = nearestName(name, universes);
  const advice = nearest === undefined ? '' : `: did you mean ${quoted(nearest)}?`;
  throw new ParameterError(
    'universe',
    `universe must be a condition or one of ${universes.join(', ')}, got ${quoted(name)}${advice}`,
  );
}

/** Runs what refuses a text of a screen; its errors name the parameter of the study. */
export function namedAs<T>(field: StudyText, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (field === 'where' || !(error instanceof ExpressionError)) throw error;
    const { message, position, expected, nearest } = error;
    throw new ParameterError(field, message.replace(/^(where|sort)/, field), {
      details: { expression: { field, position, expected, nearest } },
      cause: error,
    });
  }
}

/** @throws {ParameterError} The field has no values of past days. */
export function requirePast(
  parameter: string,
  text: string,
  name: ScreenFieldName,
  hasCurrentFields: boolean,
): void {
  const { past } = screenField(name);
  if (past === undefined || (past === 'present' && hasCurrentFields)) return;
  const place = text.search(new RegExp(`\\b${name}\\b`, 'i'));
  const position = [...text.slice(0, Math.max(0, place))].length + 1;
  const rule =
    past === 'present'
      ? `${name} is known as of today alone, which past days did not know: leave it out, or add current_fields=true`
      : `${name} has no values of past days, so a study can't use it: leave it out`;
  throw new ParameterError(parameter, `${parameter}: ${rule} (position ${position})`, {
    details: { expression: { field: parameter, position } },
  });
}
