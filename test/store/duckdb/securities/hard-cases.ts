/** Named markets by kind; `toldMarket` says how a line is read. */
export const HARD_CASES = {
  'a rename': `
    of one ticker, with values of weeks later under both: 20 A 0-30 B 30-60 x / late
    of one ticker: 20 A 0-30 B 30-60
    of one ticker, both in one file: 20 A 0-30 B 30-60 / one
    of one ticker, adjusted: 20 A 0-30 B 30-60 / adjusted
    of one ticker, adjusted in one file: 20 A 0-30 B 30-60 / adjusted, one
    of one ticker, each file cut in two: 20 A 0-30 B 30-60 / halves
    of one ticker, with minutes: 20 A 0-30 B 30-60 / minutes
    on the first day after a hole of four days: 20 A 0-26 B 30-60
    after half a year without a bar: 20 A 0-30 B 210-240
    on the second day of all: 20 A 0-1 B 1-60
    with one bar under the new ticker: 20 A 0-59 B 59-60
    to the ticker that sorts before: 20 Z 0-30 B 30-60
    to a ticker of a class: 20 BRK.A 0-30 BRK.B 30-60
    to a ticker that begins with the old one: 20 FB 0-30 FBX 30-60
    that looks like a symbol with a month: 20 XYZ 0-30 XYZ.U 30-60
    on the last day of a year: 20 A 330-364 B 364-400
    on a leap day: 20 A 760-789 B 789-820
    of two companies on one day: 20 A 0-30 B 30-60; 50 C 0-30 D 30-60
    of two companies on one day in one file: 20 A 0-30 B 30-60; 50 C 0-30 D 30-60 / one
    of one beside a company without any: 20 A 0-30 B 30-60; 50 C 0-60
    of a company that is delisted later: 20 A 0-30 B 30-60 x
    of a company that is delisted on the day: 20 A 0-30 B 30-31 x; 50 C 0-60
    with a bar on every day for a year: 20 A 0-180 B 180-365 / halves
    of two companies with equal prices: 20 A 0-30 B 30-60; 20 C 0-30 D 30-60 / say rename A B 30, rename C D 30`,
  'a rename and a split': `
    on one day: 20 A 0-30 B 30-60 s30
    on one day, in one file: 20 A 0-30 B 30-60 s30 / one
    on one day, each file cut in two: 20 A 0-30 B 30-60 s30 / halves
    on one day, with minutes: 20 A 0-30 B 30-60 s30 / minutes
    the split the day before: 20 A 0-30 B 30-60 s29
    the split the day after: 20 A 0-30 B 30-60 s31
    the split long before: 20 A 0-30 B 30-60 s5
    the split long after: 20 A 0-30 B 30-60 s50
    in one file, the split before: 20 A 0-30 B 30-60 s12 / one
    in one file, the split after: 20 A 0-30 B 30-60 s48 / one
    after a hole, on one day: 20 A 0-20 B 30-60 s30
    the first of two renames on the day: 20 A 0-20 B 20-40 C 40-60 s20
    the second of two renames on the day: 20 A 0-20 B 20-40 C 40-60 s40
    on one day, the ticker reused on it: 20 A 0-30 B 30-60 s30; 70 A 30-60
    on one day, the ticker reused on it, in one file: 20 A 0-30 B 30-60 s30; 70 A 30-60 / one
    on one day, the old ticker taken: 20 A 0-30 B 30-60 s30; 70 C 0-30 A 30-60
    of who takes the ticker, on the day: 20 A 0-30 B 30-60; 70 C 0-30 A 30-60 s30
    of both who swap, on the day: 20 A 0-30 B 30-60 s30; 70 B 0-30 A 30-60 s30
    of the reuser only, later: 20 A 0-30 B 30-60; 70 A 35-60 s45
    of the delisted one, its ticker reused: 20 A 0-30 x s10; 70 A 40-70 s55`,
  'a chain of renames': `
    of two: 20 A 0-20 B 20-40 C 40-60
    of two, in one file: 20 A 0-20 B 20-40 C 40-60 / one
    of two, adjusted: 20 A 0-20 B 20-40 C 40-60 / adjusted
    of two, told backwards: 20 C 0-20 B 20-40 A 40-60
    of two, each file cut in two: 20 A 0-20 B 20-40 C 40-60 / halves
    of two, with minutes: 20 A 0-20 B 20-40 C 40-60 / minutes
    of two, one day apart: 20 A 0-30 B 30-31 C 31-60
    of two, a year apart: 20 A 0-20 B 20-390 C 390-420
    of three: 20 A 0-15 B 15-30 C 30-45 D 45-60
    of three, in one file: 20 A 0-15 B 15-30 C 30-45 D 45-60 / one
    of five: 20 A 0-10 B 10-20 C 20-30 D 30-40 E 40-50 F 50-60
    whose first ticker is reused: 20 A 0-20 B 20-40 C 40-60; 70 A 25-60
    whose second ticker is reused: 20 A 0-20 B 20-40 C 40-60; 70 B 45-60
    whose tickers are both reused: 20 A 0-20 B 20-40 C 40-60; 70 A 25-60; 150 B 45-60
    whose tickers are both reused, in one file: 20 A 0-20 B 20-40 C 40-60; 70 A 25-60; 150 B 45-60 / one
    whose first ticker is taken from another: 20 A 0-20 B 20-40 C 40-60; 70 D 0-20 A 20-60
    behind another chain of the same tickers: 20 A 0-20 B 20-40 C 40-60; 70 Z 0-20 A 20-40 B 40-60
    behind another chain, in one file: 20 A 0-20 B 20-40 C 40-60; 70 Z 0-20 A 20-40 B 40-60 / one
    behind two others, as carriages: 20 A 0-20 B 20-40 C 40-60; 70 Z 0-20 A 20-40 B 40-60; 150 Y 0-20 Z 20-40 A 40-60
    that ends in a delisting: 20 A 0-20 B 20-40 C 40-60 x
    that ends in a delisting, its tickers reused: 20 A 0-20 B 20-40 x; 70 A 45-60; 150 B 45-60`,
  'a rename and back': `
    of one company: 20 A 0-20 B 20-40 A 40-60
    in one file: 20 A 0-20 B 20-40 A 40-60 / one
    adjusted: 20 A 0-20 B 20-40 A 40-60 / adjusted
    adjusted, in one file: 20 A 0-20 B 20-40 A 40-60 / adjusted, one
    each file cut in two: 20 A 0-20 B 20-40 A 40-60 / halves
    with minutes: 20 A 0-20 B 20-40 A 40-60 / minutes
    with a file of each time: 20 A 0-20 B 20-40 A 40-60 / span
    after one day: 20 A 0-30 B 30-31 A 31-60
    after a year: 20 A 0-20 B 20-385 A 385-420
    twice: 20 A 0-15 B 15-30 A 30-45 B 45-60
    three times: 20 A 0-10 B 10-20 A 20-30 B 30-40 A 40-50 B 50-60
    through a third ticker: 20 A 0-15 B 15-30 C 30-45 A 45-60
    the ticker another company's between: 20 A 0-20 B 20-40 A 40-60; 70 A 20-40 C 40-60
    the ticker another company's between, in one file: 20 A 0-20 B 20-40 A 40-60; 70 A 20-40 C 40-60 / one
    the ticker a delisted company's between: 20 A 0-20 B 20-40 A 40-60; 70 A 20-39 x
    the other ticker reused after: 20 A 0-20 B 20-40 A 40-60; 70 B 45-60
    the other ticker reused on the day: 20 A 0-20 B 20-40 A 40-60; 70 B 40-60
    the other ticker taken on the day: 20 A 0-20 B 20-40 A 40-60; 70 C 0-40 B 40-60
    with a split between: 20 A 0-20 B 20-40 A 40-60 s30
    with a split on the day of the way back: 20 A 0-20 B 20-40 A 40-60 s40`,
  'a swap': `
    at once: 20 A 0-30 B 30-60; 70 B 0-30 A 30-60
    at once, in one file: 20 A 0-30 B 30-60; 70 B 0-30 A 30-60 / one
    at once, adjusted: 20 A 0-30 B 30-60; 70 B 0-30 A 30-60 / adjusted
    at once, with a file of each time: 20 A 0-30 B 30-60; 70 B 0-30 A 30-60 / span
    at once, each file cut in two: 20 A 0-30 B 30-60; 70 B 0-30 A 30-60 / halves
    at once, with minutes: 20 A 0-30 B 30-60; 70 B 0-30 A 30-60 / minutes
    through a third on one day: 20 A 0-30 B 30-60; 70 B 0-30 A 30-60 / say rename A T 30, rename B A 30, rename T B 30
    through a third on one day, in one file: 20 A 0-30 B 30-60; 70 B 0-30 A 30-60 / one / say rename A T 30, rename B A 30, rename T B 30
    through a third over days: 20 A 0-30 T 30-34 B 34-60; 70 B 0-32 A 32-60
    through a third over days, in one file: 20 A 0-30 T 30-34 B 34-60; 70 B 0-32 A 32-60 / one
    through a third over two days: 20 A 0-30 T 30-31 B 31-60; 70 B 0-30 A 30-60
    through a third that is reused later: 20 A 0-30 T 30-34 B 34-60; 70 B 0-32 A 32-60; 150 T 50-60
    and back: 20 A 0-20 B 20-40 A 40-60; 70 B 0-20 A 20-40 B 40-60
    and back, in one file: 20 A 0-20 B 20-40 A 40-60; 70 B 0-20 A 20-40 B 40-60 / one
    of three at once: 20 A 0-30 B 30-60; 70 B 0-30 C 30-60; 150 C 0-30 A 30-60
    of three at once, in one file: 20 A 0-30 B 30-60; 70 B 0-30 C 30-60; 150 C 0-30 A 30-60 / one
    of four at once: 20 A 0-30 B 30-60; 70 B 0-30 C 30-60; 150 C 0-30 D 30-60; 300 D 0-30 A 30-60
    of two, twice at once: 20 A 0-30 B 30-60; 70 B 0-30 A 30-60; 150 C 0-30 D 30-60; 300 D 0-30 C 30-60
    then a rename of one: 20 A 0-20 B 20-40 C 40-60; 70 B 0-20 A 20-60
    then a delisting, the ticker reused: 20 A 0-20 B 20-40 x; 70 B 0-20 A 20-60; 150 B 41-60
    after a rename to one of the tickers: 20 C 0-15 A 15-30 B 30-60; 70 B 0-30 A 30-60`,
  'a ticker reused': `
    the day after a delisting: 20 A 0-30 x; 70 A 30-60
    the day after a delisting, adjusted: 20 A 0-30 x; 70 A 30-60 / adjusted
    the day after a delisting, with a file of each: 20 A 0-30 x; 70 A 30-60 / span
    the day after a delisting, each file cut in two: 20 A 0-30 x; 70 A 30-60 / halves
    the day after a delisting, with minutes: 20 A 0-30 x; 70 A 30-60 / minutes
    the day after a delisting, at the same price: 20 A 0-30 x; 20 A 30-60
    a week after a delisting: 20 A 0-30 x; 70 A 37-60
    a year after a delisting: 20 A 0-30 x; 70 A 395-420
    three years after a delisting: 20 A 0-30 x; 70 A 1125-1150
    by a third company: 20 A 0-20 x; 70 A 20-40 x; 150 A 40-60
    by a third company after holes: 20 A 0-20 x; 70 A 50-80 x; 150 A 110-140
    by a fourth company: 20 A 0-20 x; 70 A 40-60 x; 150 A 80-100 x; 300 A 120-140
    by a company that is delisted too: 20 A 0-30 x; 70 A 35-60 x
    by two in one month: 20 A 0-8 x; 70 A 10-18 x; 150 A 20-60
    the day after a rename: 20 A 0-30 B 30-60; 70 A 31-60
    on the day of a rename: 20 A 0-30 B 30-60; 70 A 30-60
    on the day of a rename, in one file: 20 A 0-30 B 30-60; 70 A 30-60 / one
    on the day of a rename, adjusted: 20 A 0-30 B 30-60; 70 A 30-60 / adjusted, one
    on the day of a rename, with minutes: 20 A 0-30 B 30-60; 70 A 30-60 / minutes
    a year after a rename: 20 A 0-30 B 30-60; 70 A 400-420
    two years after a rename, in one file: 20 A 0-30 B 30-60; 70 A 760-790 / one
    by a company that is renamed too: 20 A 0-20 B 20-60; 70 A 20-40 C 40-60
    by a company that is delisted, then by another: 20 A 0-20 B 20-60; 70 A 22-40 x; 150 A 41-60
    by a company that is renamed to the successor's ticker: 20 A 0-20 B 20-40 C 40-60; 70 A 20-40 B 40-60
    for one day: 20 A 0-30 B 30-60; 70 A 45-46 x
    for one day, then again: 20 A 0-30 B 30-60; 70 A 45-46 x; 150 A 50-60
    while its first company has a class of it: 20 A 0-30 A.B 30-60; 70 A 30-60`,
  'a ticker taken by a rename': `
    on the day its holder left it: 20 A 0-30 B 30-60; 70 C 0-30 A 30-60
    on the day its holder left it, in one file: 20 A 0-30 B 30-60; 70 C 0-30 A 30-60 / one
    on the day its holder left it, adjusted: 20 A 0-30 B 30-60; 70 C 0-30 A 30-60 / adjusted, one
    on the day its holder left it, with a file of each time: 20 A 0-30 B 30-60; 70 C 0-30 A 30-60 / span
    on the day its holder left it, with minutes: 20 A 0-30 B 30-60; 70 C 0-30 A 30-60 / minutes
    the day after its holder left it: 20 A 0-30 B 30-60; 70 C 0-31 A 31-60
    a month after its holder left it: 20 A 0-30 B 30-90; 70 C 0-60 A 60-90
    the day after a delisting: 20 A 0-30 x; 70 C 0-30 A 30-60
    a month after a delisting: 20 A 0-30 x; 70 C 0-60 A 60-90
    a year after a delisting: 20 A 0-30 x; 70 C 0-395 A 395-420
    a year after a delisting, in one file: 20 A 0-30 x; 70 C 0-395 A 395-420 / one
    whose former holder nobody names: 20 A 0-30; 70 C 0-30 A 30-60
    whose former holder nobody names, each file cut in two: 20 A 0-30; 70 C 0-30 A 30-60 / halves
    and left again: 20 A 0-20 B 20-60; 70 C 0-20 A 20-40 D 40-60
    and left again to its first holder: 20 A 0-20 B 20-40 A 40-60; 70 C 0-20 A 20-40 D 40-60
    and back, its first holder never: 20 A 0-20 B 20-60; 70 C 0-20 A 20-40 C 40-60
    by a company that was listed later: 20 A 0-30 B 30-60; 70 C 20-30 A 30-60
    by a company whose own ticker is taken: 20 A 0-30 B 30-60; 70 C 0-30 A 30-60; 150 D 0-30 C 30-60
    by two in turn: 20 A 0-20 B 20-60; 70 C 0-20 A 20-40 E 40-60; 150 D 0-40 A 40-60
    that two had before: 20 A 0-15 x; 70 A 20-35 x; 150 C 0-40 A 40-60`,
  'a merger or spin-off': `
    whose target is delisted: 20 TGT 0-30 x; 70 ACQ 0-60
    whose target is delisted, the acquirer renamed: 20 TGT 0-30 x; 70 ACQ 0-30 NEW 30-60
    whose acquirer takes the target's ticker: 20 TGT 0-30 x; 70 ACQ 0-30 TGT 30-60
    whose acquirer takes the target's ticker, in one file: 20 TGT 0-30 x; 70 ACQ 0-30 TGT 30-60 / one
    whose acquirer takes the target's ticker later: 20 TGT 0-30 x; 70 ACQ 0-45 TGT 45-60
    of two into a new company: 20 A 0-30 x; 70 B 0-30 x; 150 C 30-60
    of two, whose shell is named again: 20 A 0-30 x; 70 B 0-30 C 30-60; 150 B 40-60
    of a shell that takes its target's name: 10 SPAC 0-30 DEAL 30-60
    of a shell, its ticker reused by the next shell: 10 SPAC 0-30 DEAL 30-60; 12 SPAC 35-60
    of three companies in turn: 20 A 0-20 x; 70 B 0-40 x; 150 C 0-60
    with a new company: 80 OLD 0-60; 30 NEW 30-60
    with a new company that keeps the ticker: 80 OLD 0-30 PAR 30-60; 30 OLD 30-60
    with a new company that keeps the ticker, in one file: 80 OLD 0-30 PAR 30-60; 30 OLD 30-60 / one
    with a new company and a split of the parent: 80 OLD 0-60 s30; 30 NEW 30-60
    with a new company, which is renamed: 80 OLD 0-60; 30 NEW 30-45 NAME 45-60
    with two new companies: 80 OLD 0-30 PAR 30-60; 30 ONE 30-60; 10 OLD 30-60
    with a new company that is bought back: 80 OLD 0-60; 30 NEW 20-40 x
    when-issued first: 80 OLD 0-60; 30 NEW.WI 25-30 NEW 30-60
    when-issued first, the ticker another's before: 80 NEW 0-20 x; 30 NEW.WI 25-30 NEW 30-60`,
  'a delisting': `
    of one company: 20 A 0-30 x; 70 B 0-60
    of one company, in one file: 20 A 0-30 x; 70 B 0-60 / one
    of one company, adjusted: 20 A 0-30 x; 70 B 0-60 / adjusted
    on the first day of all: 20 A 0-1 x; 70 B 0-60
    of all companies: 20 A 0-30 x; 70 B 0-50 x
    two days after a rename: 20 A 0-30 B 30-32 x; 70 C 0-60
    of who took a ticker: 20 A 0-20 B 20-60; 70 C 0-20 A 20-40 x
    of both who swapped: 20 A 0-20 B 20-40 x; 70 B 0-20 A 20-40 x
    of two who had the ticker, with values of weeks later: 20 A 0-30 x; 70 A 35-60 x; 50 C 0-90 / late
    stated on the Saturday after the last bar: 20 A 0-30 x31; 70 B 0-60
    stated days after the last bar, the ticker reused: 20 A 0-30 x33; 70 A 40-60; 50 B 0-60
    stated on the day before the ticker is reused: 20 A 0-30 x39; 70 A 40-60 / pieces
    stated late of who took a ticker: 20 A 0-20 B 20-60; 70 C 0-20 A 20-40 x44; 50 D 0-60
    stated twice, the ticker reused: 20 A 0-30 x; 70 A 35-60 / also delist A 29
    of a company with a class: 20 A.B 0-30 x; 70 A 0-60`,
  'a whole past under the last ticker': `
    of a rename: 20 A 0-30 B 30-60 / past
    of a rename with a split: 20 A 0-30 B 30-60 s30 / past
    of a chain: 20 A 0-20 B 20-40 C 40-60 / past
    of a rename and back: 20 A 0-20 B 20-40 A 40-60 / past
    of two who swapped: 20 A 0-30 B 30-60; 70 B 0-30 A 30-60 / past
    of two who swapped, in one file: 20 A 0-30 B 30-60; 70 B 0-30 A 30-60 / past, one
    of three who swapped: 20 A 0-30 B 30-60; 70 B 0-30 C 30-60; 150 C 0-30 A 30-60 / past
    of who reused a ticker: 20 A 0-30 x; 70 A 30-60 / past
    of who reused a ticker a year later: 20 A 0-30 x; 70 A 395-420 / past
    of who took a ticker: 20 A 0-30 B 30-60; 70 C 0-30 A 30-60 / past
    of who took a delisted ticker: 20 A 0-30 x; 70 C 0-30 A 30-60 / past
    of a chain whose tickers were reused: 20 A 0-20 B 20-40 C 40-60; 70 A 25-60; 150 B 45-60 / past
    of a parent whose ticker the new company keeps: 80 OLD 0-30 PAR 30-60; 30 OLD 30-60 / past
    of a rename, with minutes: 20 A 0-30 B 30-60 / past, minutes`,
  'a statement taken back': `
    a rename that never was: 20 A 0-60; 70 B 0-60 / also rename A C 30, not rename A C 30
    a rename to the ticker of another: 20 A 0-60; 70 B 0-60 / also rename A B 30, not rename A B 30
    a rename on a wrong day: 20 A 0-30 B 30-60 / also rename A B 15, not rename A B 15
    a rename in the wrong direction: 20 A 0-30 B 30-60 / also rename B A 30, not rename B A 30
    a delisting that never was: 20 A 0-60 / also delist A 30, not delist A 30
    a delisting on a wrong day: 20 A 0-30 x; 70 A 35-60 / also delist A 15, not delist A 15
    a part that never was: 20 A 0-60 / also part A 30, not part A 30
    an assignment: 20 A 0-60; 70 B 0-60 / also assign A 20 30 B, not assign A 20 30 B
    an assignment to a new security: 20 A 0-60 / also assign A 20 30 new, not assign A 20 30 new
    a rename of a chain on a wrong day: 20 A 0-20 B 20-40 C 40-60 / also rename B C 55, not rename B C 55
    one of two swaps: 20 A 0-30 B 30-60; 70 B 0-30 A 30-60 / also rename A B 10, not rename A B 10`,
  'a part or an assignment': `
    of a reuse that nothing else shows: 20 A 0-30; 70 A 40-60 / say part A 40
    of a reuse without a hole: 20 A 0-30; 70 A 30-60 / say part A 30
    of a reuse a year later: 20 A 0-30; 70 A 400-420 / say part A 400
    of two reuses: 20 A 0-20; 70 A 30-40; 150 A 50-60 / say part A 30, part A 50
    of a reuse with minutes: 20 A 0-30; 70 A 40-60 / minutes / say part A 40
    of a reuse before a rename: 20 A 0-20; 70 A 30-40 B 40-60 / say part A 30, rename A B 40
    of a reuse after a rename: 20 A 0-20 B 20-60; 70 A 25-35; 150 A 45-60 / say rename A B 20, part A 45
    beside a delisting of the same day: 20 A 0-30 x; 70 A 30-60 / say delist A 29, part A 30
    of days to a security of their own: 20 A 0-20; 70 A 20-30 x; 150 B 0-60 / say delist A 29, assign A 0 19 new`,
  'a file with something odd': `
    days missing on both sides of a rename: 20 A 0-30 B 30-60 h26-34; 50 C 0-60 / pieces
    days missing before a rename on the day of a split: 20 A 0-30 B 30-60 s30 h24-30; 50 C 0-60
    days missing on both sides of a swap: 20 A 0-30 B 30-60 h28-33; 70 B 0-30 A 30-60 h27-32; 50 C 0-60
    the first days of a reuse missing: 20 A 0-30 x; 70 A 30-60 h30-34; 50 C 0-60
    half a year missing under one ticker: 20 A 0-60 B 60-300 h80-260; 50 C 0-300
    pieces of a chain whose tickers are reused: 20 A 0-20 B 20-40 C 40-60; 70 A 25-60; 150 B 45-60 / pieces
    pieces of a swap with minutes: 20 A 0-30 B 30-60; 70 B 0-30 A 30-60 / pieces, minutes
    days of a week missing at the rename: 20 A 0-26 B 33-60
    nothing of the old ticker's last year: 20 A 0-30 B 400-420
    two bars of another's reuse after a year: 20 A 0-30 x; 70 A 400-402
    tickers of one letter and of five: 20 F 0-30 FORDX 30-60; 70 FORDX 0-20 x
    tickers with a unit and a warrant: 10 SPAC.U 0-20 x; 10 SPAC.WS 0-60; 10 SPAC 0-60
    a renamed unit beside its share: 10 SPAC.U 0-30 DEAL.U 30-60; 12 SPAC 0-30 DEAL 30-60
    two companies of one name in turn, twice: 20 A 0-10 x; 70 A 15-30 B 30-60; 150 A 31-60
    prices of a cent and of a thousand: 0.01 A 0-30 x; 1000 A 30-60
    equal closes of the old and the new holder: 20 A 0-30 B 30-60; 20 A 35-60
    equal closes of two who swap: 20 A 0-30 B 30-60; 20 B 0-30 A 30-60
    ten companies with a rename each: 1 A 0-5 B 5-60; 2 C 0-10 D 10-60; 3 E 0-15 F 15-60; 5 G 0-20 H 20-60; 9 I 0-25 J 25-60; 11 K 0-30 L 30-60; 15 M 0-35 N 35-60; 19 O 0-40 P 40-60; 25 Q 0-45 R 45-60; 31 S 0-50 U 50-60`,
  'classes of one company': `
    one gets the old ticker, the other a new one: 20 GOOG 0-30 GOOGL 30-60; 21 GOOG 30-60
    one gets the old ticker, in one file: 20 GOOG 0-30 GOOGL 30-60; 21 GOOG 30-60 / one
    one gets the old ticker, on the day of a split: 20 GOOG 0-30 GOOGL 30-60 s30; 21 GOOG 30-60
    one gets the old ticker, with minutes: 20 GOOG 0-30 GOOGL 30-60; 21 GOOG 30-60 / minutes
    one gets the old ticker, a whole past under the new ones: 20 GOOG 0-30 GOOGL 30-60; 21 GOOG 30-60 / past
    one ends, the other goes on: 20 LIC.A 0-60; 21 LIC.B 0-30 x
    both are renamed on one day: 20 OLD.A 0-30 NEW.A 30-60; 21 OLD.B 0-30 NEW.B 30-60
    both are renamed at equal prices: 20 OLD.A 0-30 NEW.A 30-60; 20 OLD.B 0-30 NEW.B 30-60
    both swap their tickers: 20 NWS 0-30 NWS.A 30-60; 21 NWS.A 0-30 NWS 30-60
    one is renamed three times, the other ends: 20 VIA.B 0-20 VIAC 20-40 PARA 40-60 PSKY 60-80; 22 VIA 0-20 x`,
  'equal prices': `
    of two who are never renamed: 20 A 0-60; 20 B 0-60
    of two in one file: 20 A 0-60; 20 B 0-60 / one
    of who is delisted and who goes on: 20 A 0-30 x; 20 B 0-60
    of who is delisted and who takes the ticker: 20 A 0-30 x; 20 B 0-30 A 30-60
    of who is delisted, who goes on and who reuses: 20 A 0-30 x; 20 B 0-60; 20 A 40-60
    of a renamed one and a stranger: 20 A 0-30 B 30-60; 20 C 0-60
    of a renamed one and who reuses the ticker next day: 20 A 0-30 B 30-60; 20 A 31-60
    of two chains behind one another: 20 A 0-20 B 20-40 C 40-60; 20 Z 0-20 A 20-40 B 40-60`,
  'a way over the counter': `
    after two days without a bar: 20 A 0-30 AQ 32-60
    its ticker reused: 20 A 0-30 AQ 32-60; 70 A 45-80
    its ticker reused, in one file: 20 A 0-30 AQ 32-60; 70 A 45-80 / one
    and back to the exchange: 20 A 0-20 AQ 20-40 A 40-60
    and back under another ticker: 20 A 0-20 AQ 20-40 B 40-60; 70 A 45-80
    that ends, its ticker reused: 20 A 0-20 AQ 20-40 x; 70 A 50-80
    of two in a month: 20 A 0-10 AQ 10-60; 70 A 12-20 AZ 20-60; 150 A 22-60
    and a relisting after a hole of a month: 20 A 0-30 A 60-90`,
  'tickers given by hand': `
    joined, which was wrong: 20 A 0-30; 70 B 30-60 / also join A B, not join A B
    parted after a way back: 20 A 0-20 B 20-40 A 40-60; 70 A 62-80 / also part A 62
    parted on the day after a rename: 20 A 0-30 B 30-60; 70 A 31-60 / also part A 31
    parted where a delisting says so too, each file cut in two: 20 A 0-30 x; 70 A 35-60 / halves / also part A 35`,
  'a join': `
    of two tickers: 20 A 0-30 B 30-60 / joins
    of two tickers, in one file: 20 A 0-30 B 30-60 / joins, one
    of two tickers, adjusted: 20 A 0-30 B 30-60 / joins, adjusted
    of two tickers, each file cut in two: 20 A 0-30 B 30-60 / joins, halves
    of two tickers, with minutes: 20 A 0-30 B 30-60 / joins, minutes
    of two tickers, the later first: 20 A 0-30 B 30-60 / say join B A
    after a hole of four days: 20 A 0-26 B 30-60 / joins
    after half a year without a bar: 20 A 0-30 B 210-240 / joins
    with one bar under the new ticker: 20 A 0-59 B 59-60 / joins
    on the day of a split: 20 A 0-30 B 30-60 s30 / joins
    that a rename says too: 20 A 0-30 B 30-60 / also join A B
    and back: 20 A 0-20 B 20-40 A 40-60 / joins
    and back after one day: 20 A 0-30 B 30-31 A 31-60 / joins
    of a chain: 20 A 0-20 B 20-40 C 40-60 / joins
    of a chain, the first with both others: 20 A 0-20 B 20-40 C 40-60 / say join A C, join A B
    after a rename of the same ticker: 20 A 0-20 B 20-40 C 40-60 / say rename A B 20, join B C
    before a rename of the same ticker: 20 A 0-20 B 20-40 C 40-60 / say join A B, rename B C 40
    under a whole past of the last ticker: 20 A 0-30 B 30-60 / joins, past
    of who is delisted: 20 A 0-30 B 30-60 x; 70 C 0-60 / joins
    of who goes over the counter: 20 A 0-30 AQ 30-60 / say delist A 29, join A AQ
    whose first ticker a delisted one had: 70 A 0-20 x; 20 A 25-40 B 40-60 / say delist A 19, join A B
    whose last ticker a delisted one had: 70 B 0-20 x; 20 A 0-40 B 40-60 / say delist B 19, join A B
    of two companies: 20 A 0-30 B 30-60; 70 C 0-40 D 40-60 / joins, one
    beside one with equal prices: 20 A 0-30 B 30-60; 20 C 0-60 / joins`,
  'a shell with its parts': `
    that takes its target's name: 10 S.U 0-30 x; 10 S 0-30 D 30-60; 1 S.WS 0-30 D.WS 30-60
    that takes its target's name, in one file: 10 S.U 0-30 x; 10 S 0-30 D 30-60; 1 S.WS 0-30 D.WS 30-60 / one
    that takes the ticker of a delisted one: 5 D 0-10 x; 10 S 0-30 D 30-60; 1 S.WS 0-30 D.WS 30-60
    that ends, its tickers reused: 10 S.U 0-20 x; 10 S 0-30 x; 12 S.U 40-60; 12 S 45-60`,
  'two things of one day': `
    a new company that takes the ticker of a delisted one: 20 NEW 0-29 x; 80 OLD 0-60; 30 NEW 30-60
    a target whose ticker the next company has the day after: 20 T 0-30 x; 70 ACQ 0-60; 150 T 30-60
    a chain back to the first ticker, which passes on: 20 A 0-15 B 15-30 A 30-45 C 45-60; 70 A 45-60
    a swap of one-letter tickers: 20 T 0-30 TT 30-60; 70 TT 0-30 T 30-60
    two parents who each leave their ticker to a part: 80 P 0-30 PP 30-60; 30 P 30-60; 90 Q 0-30 QQ 30-60; 40 Q 30-60
    a parent's ticker that goes on from part to part: 80 O 0-30 P 30-60; 30 O 30-45 N 45-60; 10 O 45-60`,
};
