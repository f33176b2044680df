/**
 * Number of the rules by which filings become rows. It is raised whenever filings give other rows:
 * then a load of filings replaces what older rules made of them, and `doctor` and
 * `upgrade --check` name the loads to repeat. 0 stands for rules from before the first number.
 */
export const STATEMENT_RULES = 7;
