/** Pages for people: one column of text and tables, without scripts or other files. */

import { createHash } from 'node:crypto';
import { type ApiResponse, createResponse } from '../http/response.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for elements and attributes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character]);
}

const STYLE = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1c2024, #e4e8ec); --quiet: light-dark(#5b6470, #9aa5b1);
  --back: light-dark(#ffffff, #14171a); --line: light-dark(#dde2e8, #323a43);
}
body {
  max-width: 48rem; margin: 0 auto; padding: 2rem 1.25rem;
  background: var(--back); color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
a { color: light-dark(#0b5cad, #79b8ff); }
code { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; font-size: .925rem; }
th, td {
  text-align: left; vertical-align: top; padding: .45rem .75rem .45rem 0;
  overflow-wrap: anywhere; border-bottom: 1px solid var(--line);
}
.type { color: var(--quiet); display: block; font-size: .85rem; }
@media (max-width: 40rem) {
  thead { display: none; }
  table, tbody, tr, th, td { display: block; }
  th, td { border: 0; padding: .1rem 0; }
}
`;

/** Returns a policy that allows a page nothing but what the directives name. */
export function policyOf(directives: readonly string[]): string {
  const closed = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];
  return ["default-src 'none'", ...directives, ...closed].join('; ');
}

/** Allows a page to load nothing but its own style. */
const POLICY = policyOf([
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
]);

/**
 * @param main HTML.
 * @param cacheControl Value of the header.
 */
export function htmlPage(title: string, main: string, cacheControl: string): ApiResponse {
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;
  const headers = ['Cache-Control', cacheControl, 'Content-Security-Policy', POLICY];
  return createResponse(200, 'text/html; charset=utf-8', text, headers);
}
