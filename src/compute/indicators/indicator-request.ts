/** Parses the names of indicators with parameters: `sma`, `sma:50`, `bollinger:20:2`. */

import { ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { quoted } from '../../base/quoted.ts';
import { splitList } from '../../base/split-list.ts';
import type { Interval } from '../../base/time/intervals.ts';
import {
  defaultParam,
  type IndicatorParams,
  type IndicatorSpec,
  isAllowed,
  type ParamSpec,
} from '../columns/indicator-spec.ts';
import { indicatorByName, indicatorCatalogue } from './catalogue.ts';

export interface IndicatorRequest {
  /** Requested text, which names the series in the response. */
  key: string;
  spec: IndicatorSpec;
  params: IndicatorParams;
  /** True if no program of others can hold its expressions: `spec.compute` alone gives its values. */
  isAlone?: boolean;
}

const DECIMAL = /^\d+(\.\d+)?$/;

/**
 * Returns the texts of a comma-separated list in their order.
 *
 * @throws {ParameterError} on `indicators`: a text stands twice, or there are too many.
 */
export function indicatorList(list: string): string[] {
  const texts = splitList(list);
  const { perRequestMax } = limits.indicator;
  if (texts.length > perRequestMax) {
    throw complaint(`must name at most ${perRequestMax} indicators, got "${texts.length}"`);
  }
  const repeated = texts.find((text, i) => texts.indexOf(text) < i);
  if (repeated !== undefined) throw complaint(`must name each once, got ${quoted(repeated)} twice`);
  return texts;
}

/**
 * Parses such a list in the spelling with colons.
 *
 * @param interval Length of the bars, on which defaults may depend.
 * @param period The request's own `period`, see `indicatorFromText`.
 * @throws {ParameterError} on `indicators`, as the other two.
 */
export function indicatorRequests(
  list: string | undefined,
  interval: Interval,
  period?: number,
): IndicatorRequest[] {
  const texts = list === undefined ? [] : indicatorList(list);
  return texts.map((text) => indicatorFromText(text, interval, period));
}

/**
 * Parses one indicator: a name of the catalogue and any number of its parameters in their order.
 *
 * @param period Used for a parameter called `period` that the text does not give. Without it,
 *   and for other parameters, their own defaults count.
 * @throws {ParameterError} on `indicators`: the name is unknown, there are too many parameters,
 *   or a value is out of bounds.
 */
export function indicatorFromText(
  text: string,
  interval: Interval,
  period?: number,
): IndicatorRequest {
  const [name, ...given] = text.split(':');
  const spec = indicatorByName(name);
  if (!spec) {
    const names = indicatorCatalogue.map((row) => row.name);
    const nearest = nearestName(name, names);
    const hint = nearest === undefined ? '/docs lists the names' : `did you mean ${nearest}?`;
    throw complaint(`has no ${quoted(name)}; ${hint}`);
  }
  if (given.length > spec.params.length) {
    const form = [name, ...spec.params.map((param) => param.name)].join(':');
    throw complaint(`takes no more than ${form}, got ${quoted(text)}`);
  }
  const values = spec.params.map((param, i) => {
    if (i < given.length) return paramFromText(param, given[i], text);
    return (param.name === 'period' ? period : undefined) ?? defaultParam(param, interval);
  });
  const params = Object.fromEntries(spec.params.map((param, i) => [param.name, values[i]]));
  const conflict = spec.conflict?.(params);
  if (conflict) throw complaint(`${quoted(text)}: ${conflict}`);
  return { key: text, spec, params };
}

function paramFromText(param: ParamSpec, given: string, text: string): number {
  const value = DECIMAL.test(given) ? Number(given) : Number.NaN;
  if (isAllowed(param, value)) return value;
  const kind = param.integer ? 'an integer' : 'a number';
  throw complaint(
    `${quoted(text)}: ${param.name} must be ${kind} from ${param.min} to ${param.max}`,
  );
}

function complaint(rest: string): ParameterError {
  return new ParameterError('indicators', `indicators ${rest}`);
}
