/** `1051200`, which counts ten-thousandths, → `105.1200`; other texts stay as they are. */
export function withPoint(text: string, places: number): string {
  if (!/^\d+$/.test(text)) return text;
  const digits = text.padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
