/** Chooses the insider whose name and title stand for a filing with several owners. Pure. */

export interface ReportingOwner {
  name: string | undefined;
  isOfficer: boolean;
  isDirector: boolean;
  isTenPercentOwner: boolean;
  officerTitle: string | undefined;
  /** Role of an insider who has none of these. */
  otherText: string | undefined;
}

/**
 * Chooses the insider for all rows of the filing: an officer before a director before a holder of
 * 10 %, else the first. Joint filers report the same transactions. Usually one is the person in
 * charge and the others are that person's funds and trusts.
 */
export function insiderOf(owners: readonly ReportingOwner[]): {
  insiderName: string | null;
  title: string | null;
} {
  const named = owners.filter(({ name }) => name !== undefined);
  const insider = named.toSorted((a, b) => rank(a) - rank(b))[0];
  if (!insider) return { insiderName: null, title: null };
  return { insiderName: insider.name ?? null, title: titleOf(insider) };
}

function rank({ isOfficer, isDirector, isTenPercentOwner }: ReportingOwner): number {
  return [isOfficer, isDirector, isTenPercentOwner, true].indexOf(true);
}

function titleOf(owner: ReportingOwner): string | null {
  if (owner.isOfficer && owner.officerTitle) return owner.officerTitle;
  if (owner.isDirector) return 'Director';
  if (owner.isTenPercentOwner) return '10% Owner';
  if (owner.isOfficer) return 'Officer';
  return owner.officerTitle ?? owner.otherText ?? null;
}
