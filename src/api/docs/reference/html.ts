/** Converts text to HTML: escapes it and renders the markup of descriptions. */

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

/** Escapes text and turns `code` between back-quotes into an element. */
export function inlineHtml(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** Converts text to paragraphs, which an empty line separates. */
export function paragraphsHtml(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) => `<p>${inlineHtml(paragraph)}</p>`)
    .join('\n');
}

/** Returns the anchor of a heading: `API keys` → `api-keys`. */
export function anchorFrom(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

/** Renders code that scrolls sideways, also by keyboard. */
export function codeBlock(text: string, label: string): string {
  return `<pre tabindex="0" role="region" aria-label="${escaped(label)}"><code>${escaped(text)}</code></pre>`;
}
