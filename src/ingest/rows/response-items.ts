/** Finds the rows of a response of an API that was saved to disk. */

import { isObject, type JsonObject } from '../inputs/json-line.ts';

/** Names of the security that a whole response is about, in itself or in an object such as `meta`. */
const SYMBOL = /^(?:symbol|ticker)$/i;

/**
 * Returns the rows of a response: `{"results":[{…},{…}],"status":"OK"}`; undefined for a row. Rows
 * get the symbol of their response where they name none.
 * @param isRequired Returns true for the name of a column that each row must have.
 */
export function itemsOfResponse(
  object: JsonObject,
  isRequired: (name: string) => boolean,
): JsonObject[] | undefined {
  const ofKinds = itemsOfKinds(object);
  if (ofKinds !== undefined) return ofKinds;
  const lists = listsOf(object);
  const isRow = Object.keys(object).some((name) => !SYMBOL.test(name) && isRequired(name));
  if (isRow || lists.length !== 1) return undefined;
  const inner = Object.values(object).filter(isObject);
  const symbol = [object, ...inner].map(symbolOf).find((text) => text !== undefined);
  return symbol === undefined
    ? lists[0]
    : lists[0].map((item) => (symbolOf(item) === undefined ? { symbol, ...item } : item));
}

/** Lists of objects in an object, or in the objects below it where it has none, as Nasdaq.com's. */
function listsOf(object: JsonObject, depth = 3): JsonObject[][] {
  const values = Object.values(object);
  const own = values.filter(
    (value): value is JsonObject[] =>
      Array.isArray(value) && value.length > 0 && value.every(isObject),
  );
  if (own.length > 0 || depth === 0) return own;
  return values.filter(isObject).flatMap((inner) => listsOf(inner, depth - 1));
}

function symbolOf(object: JsonObject): string | undefined {
  const found = Object.entries(object).find(
    ([name, value]) => SYMBOL.test(name) && typeof value === 'string',
  );
  return found?.[1] as string | undefined;
}

/** Lists of Alpaca's corporate actions that are splits and dividends, with the type of their rows. */
const KINDS: Readonly<Record<string, string>> = {
  forward_splits: 'forward split',
  reverse_splits: 'reverse split',
  unit_splits: 'split',
  cash_dividends: 'dividend',
};

/** Rows of Alpaca's corporate actions, which are lists by kind. Mergers and new names are none. */
function itemsOfKinds({ corporate_actions: kinds }: JsonObject): JsonObject[] | undefined {
  if (!isObject(kinds)) return undefined;
  return Object.entries(KINDS).flatMap(([kind, type]) => {
    const list = kinds[kind];
    const items = Array.isArray(list) ? list.filter(isObject) : [];
    // A dividend has its amount in `rate`.
    return items.map(({ rate, ...item }) => ({
      ...item,
      type,
      ...(rate !== undefined && { amount: rate }),
    }));
  });
}
