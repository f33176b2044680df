/** Names of sessions, and the choices of requests. The page reads them, too. */

/** Sessions of a trade date, in order of time. */
export const TRADING_SESSIONS = ['overnight', 'pre', 'regular', 'post'] as const;

export type TradingSession = (typeof TRADING_SESSIONS)[number];

/**
 * Bars that a request takes: of the regular session, of those from 04:00 to 20:00, or of all hours,
 * also bars outside of every session.
 */
export const SESSION_CHOICES = ['regular', 'extended', 'all'] as const;

export type SessionChoice = (typeof SESSION_CHOICES)[number];
