/**
 * English words that are also names of companies. A name of these words alone is no evidence in a
 * headline (`The Best Buy Now`): it counts only next to a word that marks a company.
 *
 * Chosen by hand from the names of listed companies.
 */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `
  ability advance affirm agenda air alarm all allied alpha ally alpine alto american angel
  anthem arch archer arm array ascent assured athena atlantic atlas auto aware axis baker ball
  bandwidth bank banner bat bath beacon bear below best better beyond big bill bird black blade
  block bloom blue bold boot boston bowl box brand bridge bright bristol broad build builders bull
  business buy cable cactus calm canada capital capitol care carnival cars castle cause central
  century charge charles charter chart chase chemical chicago china choice circle citizen citizens
  city civil clean clear cloud club coast code coffee cohen coherent cold colony comfort commerce
  community compass computer concrete confluent consumer cool cooper copper core corn cost country
  cracker craft crane credit crescent cross crown crystal cubic custom daily dash data dave day
  deep deluxe delta design digital discover discovery diversified dollar dominion dover dream drive
  dynamics eagle earth east eastern edge education electric element elite emerald empire employers
  energy ensign enterprise entertainment equity era escalade essential europe ever evolution
  exchange exponent express extra extreme factor faith family fair farmer farmers fast federal
  fiber fidelity field fifth finance financial fire first five flex flow fluent focus food force
  ford forest forward fossil foundation fox franklin freedom freight fresh front frontier frontline
  fuel full funko funds future galaxy game gap gas gate general genesis genius gentle giant glass
  global globe go gold golden good grab grace grand gravity gray great green grid ground group
  growth guaranty guard guess guide hanger harbor hard harmonic harmony harvest health heart
  heritage hero high highway hill home honest honor hope horizon host hotel hub hunt icon ideal
  image immersion impact in independence independent index industrial infinity information inner
  innovation inside insight installed insurance integer interest international invest investors
  iron island jack joint journey just kemper key kinder king kirby land landmark lead leader leaf
  legacy legend liberty life lift light limit lincoln line lion liquid live local logic long lots
  lucid luminar lumber magic magnolia main major marathon marine mark market markets marvel mass
  master match materials matrix matter mattress max medicine medicines medical meet mercury
  meridian metro micro middle midland mind mineral mission mobile model modern momentum monarch
  monday money monster montana morning mosaic motion mountain music mutual national natural nature
  nautilus navigator net network new news next nice noble noodles north northern northwest
  northwestern now nuclear nu ocean office oil old olympic omega on one open opera opportunity
  optimum option orange orbit origin orion oscar over owl pacific palace paramount park partner
  partners path pathfinder patriot peak pearl pen pennant penn people perfect performance permian
  phoenix pilot pinnacle pioneer planet plains platform plug plus point polar pool popular port
  post power premier presidio prestige prime principal priority pro professional progress
  progressive property pros prospect prosperity protection provident public pulse pure quality
  quantum quest quotient radian range rapid ready real realty red reed reeds regal regional regions
  reliability reliance remark renew repay republic research resonant resource resources rev
  revolve rich right ring riot rise river road robust rock rocket rogers root royal ruby rush safe
  safety sage sail savers science sea seaboard select sense sentinel service seven shift shore
  shoals sierra signal signature silver simply simple six sky smart snap social solar solid solo
  sonic sound source south southern southwest space spar spark spartan spectrum spire spirit sports
  sprint spring square stable stamps standard star stars state steel stem sterling stone strategic
  strategy stream strong structure summit sun sunrise super superior support surge switch sync
  system systems tactile talos tandem tapestry target team tech technology tempo ten terra tiger
  tile titan toast today top total tower trade tradition transport travel travelers tree tribune
  trinity triumph true trust twin two uniform union unit united unity universal up upstart upwork
  urban us utility valley value vanguard vector venture verge veritas verity victory view vision
  visa vista vital vivid voice vox wabash walker warrior water waters wave way wealth web west
  western wheel wheels whirlpool white whole wild williams wing winner wireless wolf wolverine
  woodward word work workday workhorse world xenon yellow young zero zone zoom
  ai it usa uk eu un tv pc ev ipo ceo cfo etf gdp cpi fed sec fda irs nyse nasdaq dow esg api app ads
  `
    .trim()
    .split(/\s+/),
);
