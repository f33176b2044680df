/** The frame of every page: it needs no network and may load nothing else. */

import { createHash } from 'node:crypto';
import { escaped } from './html.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

export const HTML_TYPE = 'text/html; charset=utf-8';

export interface Page {
  title: string;
  /** HTML of the table of contents. */
  contents?: string;
  /** HTML. */
  main: string;
  /** True if it needs the script. */
  hasScript?: true;
}

function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Allows a page to load only itself. @param hasScript Allows its own script. */
function policyOf(hasScript: boolean): string {
  return [
    "default-src 'none'",
    `style-src ${sourceOf(STYLE)}`,
    ...(hasScript ? [`script-src ${sourceOf(SCRIPT)}`] : []),
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const POLICIES = { plain: policyOf(false), scripted: policyOf(true) };

/** Returns the headers of a page, names and values in turn. */
export function pageHeaders({ hasScript }: Page): string[] {
  return ['Content-Security-Policy', hasScript ? POLICIES.scripted : POLICIES.plain];
}

export function pageHtml({ title, contents, main, hasScript }: Page): string {
  const nav = contents ? `<nav class="contents" aria-label="Contents">${contents}</nav>` : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#main">To the content</a>
<div class="${contents ? 'layout' : 'plain'}">
${nav}
<main id="main">
${main}
</main>
</div>
${hasScript ? `<script>${SCRIPT}</script>` : ''}
</body>
</html>
`;
}
