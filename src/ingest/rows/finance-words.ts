/**
 * Ratings of words in financial news that a general lexicon rates differently or not at all.
 *
 * Words of the trade (`share`, `debt`, `vice president`) are 0. Verbs of direction count only with
 * the quantity that moves. The rest are events that a shareholder welcomes or fears. No labelled
 * text was used.
 */

/** Ratings and their words, one rating a line. They run from -5 to 5, as in the lexicon. */
const RATED: readonly (readonly [rating: number, words: string])[] = [
  [
    0,
    `share shares shared sharing interest interests interested trust trusts capital gross vice tax
     taxes taxed liability liabilities board foreign mine mines mining crude cancer join joins
     joined joining joint united unite reach reached reaches reaching want wants like likes yes pay
     pays paid free matter matters bond bonds secure secured security securities outstanding tender
     grant grants granted granting yield yields credit credits demand demands demanded stake stakes
     derivative block blocks limited natural solution solutions ensure ensures ensuring allow allows
     back backed backs commit commits committed commitment responsible leave leaves debt debts oil
     gas hedge exposure short call calls put option options exclusive important fund funds growing
     profit profits earnings dividend dividends agree agrees agreed agreement support supports
     supported supporting help helps helped helping asset assets merge merger acquire acquired
     acquisition deal deals hard fire fired kill arrest fresh warm cool clear clearly cleared dear
     novel charge charges no big top vision focused accept accepted offer
     offered offers active actively adequate effective effectively engage engages launch launched
     launches welcome welcomed value values best fair fairly favor heart hope hopes innovative
     opportunity opportunities prepared progress promote promotes safe safety significant
     significance straight thank thanks true truth useful vitamin wealth worth easy easily
     environmental developed`,
  ],
  [3, 'bullish breakthrough outperformance blockbuster'],
  [
    2,
    `profitable wins won win strong stronger strongest strongly robust solid better record upbeat
     outperformed outperforms outperform upside reinstated oversubscribed milestone turnaround
     undervalued approval approved`,
  ],
  [
    1,
    'buyback buybacks partnership tailwind tailwinds synergy synergies awarded efficient resilient',
  ],
  [
    -1,
    `probe probes investigation scrutiny headwind headwinds uncertainty volatile volatility
     antitrust restructuring recall recalls delay delays delayed overvalued selloff dilution
     slowdown cautious`,
  ],
  [
    -2,
    `layoff layoffs bearish lawsuit lawsuits sued sues default defaults defaulted impairment
     impairments writedown writedowns downside underperform underperformed underperforms weak weaker
     weakest weakness warns warned warning warnings disappointing shortfall unprofitable penalty
     penalties fined strike strikes halted suspends suspended dismiss dismissed terminates
     terminated breach delisting subpoena loss losses deficit`,
  ],
  [
    -3,
    'bankruptcy bankrupt insolvency insolvent fraud fraudulent plummet plummeted plummets collapse collapsed',
  ],
];

const UP = `rise rises rose risen rising increase increases increased increasing grow grows grew grown
  growth gain gains gained gaining climb climbs climbed climbing jump jumps jumped jumping surge surges
  surged surging soar soars soared soaring rally rallies rallied rebound rebounds rebounded recover
  recovers recovered recovery improve improves improved improving improvement up upward higher exceed
  exceeds exceeded beat beats topped tops expand expands expanded expanding expansion strengthen
  strengthens strengthened accelerate accelerates accelerated double doubles doubled doubling triple
  tripled widen widens widened raise raises raised raising lift lifts lifted lifting boost boosts
  boosted upgrade upgrades upgraded advance advances advanced hike hikes hiked`;

const DOWN = `fall falls fell fallen falling decrease decreases decreased decreasing decline declines
  declined declining drop drops dropped dropping slip slips slipped slide slides slid sliding sink
  sinks sank sunk tumble tumbles tumbled tumbling plunge plunges plunged plunging slump slumps slumped
  shrink shrinks shrank shrunk shrinking lower lowers lowered lowering down downward weaken weakens
  weakened worsen worsens worsened miss misses missed cut cuts cutting reduce reduces reduced reducing
  reduction narrow narrows narrowed narrowing slow slows slowed slowing lose loses lost losing
  downgrade downgrades downgraded halve halves halved trim trims trimmed slash slashes slashed`;

/** Quantities that are good when they fall. */
const UNWELCOME = `loss losses cost costs expense expenses debt debts unemployment jobless deficit
  deficits claims delinquencies default defaults provision provisions charges impairment impairments
  churn tax taxes complaint complaints shortage shortages risk risks emissions leverage vacancies
  vacancy inflation`;

/** Quantities that are good when they rise. Directions apply to these and to the unwelcome ones. */
const WELCOMED = `profit profits profitability earnings income revenue revenues sales turnover ebit
  ebitda eps margin margins dividend dividends guidance outlook forecast target shares stock price
  volume volumes orders demand cash production output traffic bookings deliveries rating share market
  index exports jobs users subscribers customers`;

const list = (words: string): string[] => words.trim().split(/\s+/);

/** Ratings that override the lexicon's. */
export const FINANCE_RATINGS: ReadonlyMap<string, number> = new Map(
  RATED.flatMap(([rating, words]) => list(words).map((word) => [word, rating] as const)),
);

/** Words of direction: 1 for a rise, -1 for a fall. */
export const DIRECTIONS: ReadonlyMap<string, 1 | -1> = new Map([
  ...list(UP).map((word) => [word, 1] as const),
  ...list(DOWN).map((word) => [word, -1] as const),
]);

/** Quantities: 1 if a rise is good, -1 if a fall is good. */
export const QUANTITIES: ReadonlyMap<string, 1 | -1> = new Map([
  ...list(WELCOMED).map((word) => [word, 1] as const),
  ...list(UNWELCOME).map((word) => [word, -1] as const),
]);
