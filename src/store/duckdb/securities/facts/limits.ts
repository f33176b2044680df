/** A ticker that seems to have gone to another security. */
export const reuseLimits = {
  /** Shortest hole in its daily bars, in days. */
  holeDays: 7,
  /** Least factor between the closes beside the hole. */
  leapMin: 3,
  /** Greatest factor between the close before it and the first of the ticker that goes on. */
  goesOnMax: 1.25,
};
