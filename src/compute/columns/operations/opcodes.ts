/** Numbers of the operations, shared by the compiler of expressions and the module that runs them. */

// One value from the same row of other columns.
export const ADD = 1;
export const SUBTRACT = 2;
export const MULTIPLY = 3;
export const DIVIDE = 4;
export const SMALLER = 5;
export const LARGER = 6;
export const ABOVE = 7;
export const EQUAL = 9;
export const ABSOLUTE = 10;
export const CHOOSE = 12;
export const LOGARITHM = 13;
export const BOTH = 14;
export const EITHER = 15;
export const IS_NULL = 16;
export const SQUARE_ROOT = 17;

// One value from this row and earlier ones.
export const DELAY = 20;
export const EMA = 21;
export const EMA_LAG = 22;
export const SMOOTH = 23;
export const WILDER = 24;
export const RSI = 25;
export const FOLLOW = 26;
export const TOTAL = 27;
export const MEAN = 28;
export const DEVIATION = 29;
export const WEIGHTED = 30;
export const HIGHEST = 31;
export const LOWEST = 32;
export const SINCE_HIGHEST = 33;
export const SINCE_LOWEST = 34;
export const MEAN_DISTANCE = 35;
export const PARABOLIC = 36;
export const TREND = 37;
export const LEAN = 38;
export const WEIGHTED_BY = 39;
export const PADDED = 40;
export const WITHIN = 41;
export const HELD = 42;
export const SNAPPED = 43;
export const HIGHEST_SINCE = 44;
export const PLACE_AMONG = 45;
export const QUANTILE = 46;
