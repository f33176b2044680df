/** The screen as a command and as a program, with the key out of both. */

import { type Query, requestPath } from '../state/request.ts';

function inShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function given(query: Query): [string, string][] {
  return Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
}

/** @param base Address of the server, with its path: `https://host/`. */
export function curlText(base: string, query: Query): string {
  const url = new URL(requestPath('v1/svc/screener'), base).href;
  const lines = [
    `curl -G ${inShell(url)}`,
    '-H "X-API-Key: $TAPEWORKS_API_KEY"',
    ...given(query).map(([name, value]) => `--data-urlencode ${inShell(`${name}=${value}`)}`),
    "-d 'limit=200'",
  ];
  return lines.join(' \\\n  ');
}

/** Uses the Python package, which reads the key from `TAPEWORKS_API_KEY`. */
export function pythonText(base: string, query: Query): string {
  const { where, ...others } = query;
  const values = [
    where === undefined ? 'None' : JSON.stringify(where),
    ...given(others).map(([name, value]) => `${name}=${JSON.stringify(value)}`),
  ];
  return [
    'import tapeworks',
    '',
    `tw = tapeworks.connect(${JSON.stringify(base.replace(/\/$/, ''))})`,
    `print(tw.screen(${values.join(', ')}).pd())`,
  ].join('\n');
}
