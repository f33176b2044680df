/** Copies of a sample with one thing changed in each: what vendors and accidents do to an answer. */

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export interface Mutation {
  name: string;
  text: string;
}

/** Every field missing, null, of another kind, once; all reordered; extra ones; cut off anywhere. */
export function mutationsOf(sample: string): Mutation[] {
  const json: Json = JSON.parse(sample);
  const mutations: Mutation[] = [];
  const replacements: [string, Json | undefined][] = [
    ['missing', undefined],
    ['null', null],
    ['a text', 'x'],
    ['a number', -1],
    ['huge', 1e308],
    ['a list', []],
    ['an object', {}],
  ];
  for (const path of pathsOf(json)) {
    for (const [what, value] of replacements) {
      const text = JSON.stringify(withValue(json, path, value));
      if (text !== undefined) mutations.push({ name: `${path.join('.')} is ${what}`, text });
    }
  }
  mutations.push({ name: 'reordered', text: JSON.stringify(reordered(json)) });
  mutations.push({ name: 'with extra fields', text: JSON.stringify(withExtra(json)) });
  for (const share of [0, 0.1, 0.5, 0.9, 0.999]) {
    const text = sample.slice(0, Math.floor(sample.length * share));
    mutations.push({ name: `cut off at ${share}`, text });
  }
  return mutations;
}

export function reordered(json: Json): Json {
  if (Array.isArray(json)) return json.map(reordered);
  if (typeof json !== 'object' || json === null) return json;
  const entries = Object.entries(json).map(([name, value]) => [name, reordered(value)] as const);
  return Object.fromEntries(entries.toReversed());
}

export function withExtra(json: Json): Json {
  if (Array.isArray(json)) return json.map(withExtra);
  if (typeof json !== 'object' || json === null) return json;
  const entries = Object.entries(json).map(([name, value]) => [name, withExtra(value)] as const);
  return { ...Object.fromEntries(entries), ...(isRecord(json) && { newField: 'new' }) };
}

/** Objects whose names are symbols are no records: another name in them is another symbol. */
function isRecord(json: { [name: string]: Json }): boolean {
  return !Object.values(json).every(Array.isArray);
}

function pathsOf(json: Json, path: (string | number)[] = []): (string | number)[][] {
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([name, value]) => {
    const below = [...path, Array.isArray(json) ? Number(name) : name];
    return [below, ...pathsOf(value, below)];
  });
}

function withValue(
  json: Json,
  [name, ...rest]: (string | number)[],
  value: Json | undefined,
): Json {
  const copy = structuredClone(json) as { [name: string]: Json };
  if (rest.length > 0) copy[name] = withValue(copy[name], rest, value);
  else if (value !== undefined) copy[name] = value;
  else if (Array.isArray(copy)) copy.splice(Number(name), 1);
  else delete copy[name];
  return copy;
}
