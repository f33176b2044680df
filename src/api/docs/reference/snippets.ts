/** Writes a request as code that runs unchanged, with the key in `API_KEY`. */

import { queryText, type SampleRequest } from './sample-request.ts';

export const SNIPPET_LANGUAGES = ['curl', 'javascript', 'python'] as const;

export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number];

export const LANGUAGE_TITLES: Readonly<Record<SnippetLanguage, string>> = {
  curl: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
};

function urlOf(origin: string, { path, query }: SampleRequest): string {
  return origin + path + (query.length > 0 ? `?${queryText(query)}` : '');
}

function indented(text: string, blanks: string): string {
  return text.replaceAll('\n', `\n${blanks}`);
}

/** Quotes text for a POSIX shell. */
function shellText(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function curl(origin: string, request: SampleRequest): string {
  const lines = ['curl -sS --fail-with-body', `"${urlOf(origin, request)}"`];
  if (request.method !== 'GET') lines.push(`-X ${request.method}`);
  if (request.needsKey) lines.push('-H "X-API-Key: $API_KEY"');
  if (request.body !== undefined) {
    lines.push('-H "Content-Type: application/json"');
    lines.push(`-d ${shellText(JSON.stringify(request.body, null, 2))}`);
  }
  return lines.join(' \\\n  ');
}

const JAVASCRIPT_READS = {
  json: 'console.log(await response.json());',
  text: 'console.log(await response.text());',
  nothing: 'console.log(response.status);',
};

function javascript(origin: string, request: SampleRequest): string {
  const { method, needsKey, body, reads } = request;
  const headers = [
    ...(needsKey ? ["'X-API-Key': process.env.API_KEY"] : []),
    ...(body === undefined ? [] : ["'Content-Type': 'application/json'"]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length > 0 ? [`  headers: { ${headers.join(', ')} },`] : []),
    ...(body === undefined
      ? []
      : [`  body: JSON.stringify(${indented(JSON.stringify(body, null, 2), '  ')}),`]),
  ];
  const url = `'${urlOf(origin, request).replaceAll("'", '%27')}'`;
  const call = options.length > 0 ? `${url}, {\n${options.join('\n')}\n}` : url;
  return [
    `const response = await fetch(${call});`,
    'if (!response.ok) throw new Error(await response.text());',
    JAVASCRIPT_READS[reads],
  ].join('\n');
}

const PYTHON_READS = {
  json: 'print(json.load(response))',
  text: 'print(response.read().decode())',
  nothing: 'print(response.status)',
};

/** Words that Python spells differently from JSON. */
const PYTHON_WORDS: Readonly<Record<string, string>> = {
  true: 'True',
  false: 'False',
  null: 'None',
};

function pythonText(value: unknown): string {
  // The pattern matches whole strings, so words inside them stay.
  return JSON.stringify(value, null, 4).replace(
    /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g,
    (token) => PYTHON_WORDS[token] ?? token,
  );
}

function python(origin: string, request: SampleRequest): string {
  const { method, needsKey, body, reads } = request;
  const headers = [
    ...(needsKey ? ['"X-API-Key": os.environ["API_KEY"]'] : []),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
  ];
  const lines = [
    `    "${urlOf(origin, request)}",`,
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    ...(headers.length > 0 ? [`    headers={${headers.join(', ')}},`] : []),
    ...(body === undefined
      ? []
      : [`    data=json.dumps(${indented(pythonText(body), '    ')}).encode(),`]),
  ];
  const modules = [
    ...(reads === 'json' || body !== undefined ? ['json'] : []),
    ...(needsKey ? ['os'] : []),
  ];
  return [
    ...modules.map((name) => `import ${name}`),
    'from urllib.request import Request, urlopen',
    '',
    `request = Request(\n${lines.join('\n')}\n)`,
    'with urlopen(request) as response:',
    `    ${PYTHON_READS[reads]}`,
  ].join('\n');
}

const WRITERS = { curl, javascript, python };

/** @param origin Scheme and host of the server. */
export function snippet(language: SnippetLanguage, origin: string, request: SampleRequest): string {
  return WRITERS[language](origin, request);
}
