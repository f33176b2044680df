export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads a line of JSON, also MongoDB's extended JSON; undefined if it is no object. */
export function objectFromLine(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line, isExtended(line) ? plainValue : undefined);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** True for a line in which values may be objects of their type: `{"$numberDouble":"1.5"}`. */
export function isExtended(line: string): boolean {
  return /\{\s*"\$/.test(line);
}

const MONGO_TYPE = /^\$(?:date|oid|number(?:Int|Long|Double|Decimal))$/;

function plainValue(_: string, value: unknown): unknown {
  const [type, ...others] = isObject(value) ? Object.keys(value) : [];
  if (type === undefined || others.length > 0 || !MONGO_TYPE.test(type)) return value;
  const inner = (value as JsonObject)[type];
  const isMillis = type === '$date' && /^-?\d+$/.test(String(inner));
  return isMillis ? new Date(Number(inner)).toISOString() : inner;
}
