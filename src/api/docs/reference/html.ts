/** Text as HTML: escaped, with the little markup that descriptions have. */

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For elements and attributes alike. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character]);
}

/** `code` between back-quotes becomes an element. */
export function inlineHtml(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** Paragraphs stand apart by an empty line. */
export function paragraphsHtml(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) => `<p>${inlineHtml(paragraph)}</p>`)
    .join('\n');
}

/** A name for links: `API keys` → `api-keys`. */
export function anchorFrom(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

/** Code that scrolls sideways, by keyboard too. */
export function codeBlock(text: string, label: string): string {
  return `<pre tabindex="0" role="region" aria-label="${escaped(label)}"><code>${escaped(text)}</code></pre>`;
}
