/** Returns the canonical name of a zone. Offsets are unknown: they have no daylight saving time. */
export function zoneNamed(name: string): string | undefined {
  try {
    if (!/^[A-Za-z]/.test(name)) return undefined;
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
