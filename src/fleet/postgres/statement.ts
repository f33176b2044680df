/** Texts of statements as Postgres takes them. */

import type { SqlValue, SqlValues } from '../../store/accounts/database/sql.ts';

interface Statement {
  text: string;
  /** Name of each parameter; undefined: the next value. */
  names: (string | undefined)[];
}

const known = new Map<string, Statement>();

/** Replaces `?` and `:name` outside of quoted texts by `$1`, `$2` and so on. */
function parsed(text: string): Statement {
  const names: (string | undefined)[] = [];
  const numbered = text.replace(/'[^']*'|"[^"]*"|\?|:([a-z]\w*)/gi, (part, name?: string) => {
    if (part[0] === "'" || part[0] === '"') return part;
    const at = name === undefined ? -1 : names.indexOf(name);
    return `$${at < 0 ? names.push(name) : at + 1}`;
  });
  return { text: numbered, names };
}

/** Returns the text and its values in order. */
export function statementOf(text: string, given: SqlValues): { text: string; values: SqlValue[] } {
  const statement = known.get(text) ?? parsed(text);
  known.set(text, statement);
  const [first] = given;
  const isNamed = typeof first === 'object' && first !== null && !(first instanceof Uint8Array);
  if (!isNamed) return { text: statement.text, values: [...given] as SqlValue[] };
  const named = first as Readonly<Record<string, SqlValue>>;
  return { text: statement.text, values: statement.names.map((name) => named[String(name)]) };
}
