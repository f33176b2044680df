/** The frame of every page for people: complete without the network, closed to everything else. */

import { createHash } from 'node:crypto';
import { escaped } from './html.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

export const HTML_TYPE = 'text/html; charset=utf-8';

export interface Page {
  title: string;
  /** HTML beside the content, for finding one's way. */
  contents?: string;
  /** HTML. */
  main: string;
  /** Whether it needs the script. */
  hasScript?: true;
}

function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** What a page may load: itself. @param hasScript Whether its own script may run. */
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

/** Names and values in turn. */
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
