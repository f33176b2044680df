/** Splits a list of expressions at its commas, but not at those in parentheses or quotation marks. */
export function splitList(text: string): string[] {
  const parts: string[] = [];
  let [depth, start, quote] = [0, 0, ''];
  for (let i = 0; i <= text.length; i++) {
    const char = text[i];
    if (i === text.length || (char === ',' && depth === 0 && quote === '')) {
      parts.push(text.slice(start, i));
      start = i + 1;
    } else if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === "'" || char === '"') quote = char;
    else if (char === '(') depth++;
    else if (char === ')') depth = Math.max(0, depth - 1);
  }
  return parts;
}

/** Splits such a list, without spaces and what is empty. */
export function trimmedList(text: string): string[] {
  return splitList(text)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
