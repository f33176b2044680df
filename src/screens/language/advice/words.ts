/**
 * Words of other programs, and the same in this language: of TradingView and Pine, Finviz, yfinance,
 * TA-Lib, pandas-ta, StockCharts, thinkorswim and AmiBroker. Letter case, blanks and signs between
 * the letters of a word don't count: `52-week high`, `high_52w` and `fiftyTwoWeekHigh` are listed
 * as `52weekhigh`, `high52w` and `fiftytwoweekhigh`.
 */

import { fieldOfWord } from '../../../base/fields.ts';

/** Texts to write, each with the words for it; a word for a field stands for its name. */
const WRITTEN = `
sma(50): ma movingaverage simplemovingaverage mavg smoothedma dma fiftydayaverage 50dma movingavg
sma(200): twohundreddayaverage 200dma twohundreddayma
ema(20): expmovingavg expmovingaverage exponentialmovingavg movavgexponential
sma(sma(close, 10), 11): trima triangularmovingaverage
(close + 2 * close[1] + 2 * close[2] + close[3]) / 6: swma
bollinger(20, 2).upper: bb bbands bollingerband bbupper upperband upperbb bbu bbandtop topband bollup bollingerupper
bollinger(20, 2).lower: bblower lowerband lowerbb bbl bbandbot bottomband bolllow bollingerlower lowerbollinger lowerbollingerband bollingerlowerband
bollinger(20, 2).middle: bbmiddle middleband middlebb bbm midbb
bandwidth(20, 2): bbwidth bbw bollingerwidth
percent_b(20, 2): bb%b %b bbp bbpercent bollinger%b bollingerpercentb
keltner(20).upper: kcupper upperkc keltnerupper upperkeltner kcu
keltner(20).lower: kclower lowerkc keltnerlower lowerkeltner kcl
donchian(20).upper: donchianhigh donchianupper dcu pricechannelupper dchigh pricechannel
donchian(20).lower: donchianlow donchianlower dcl pricechannellower dclow
chandelier(22, 3).long: chandelierlong chandelierstop
macd(12, 26, 9): macdline macdext macdfix
macd.signal: macdsignal macdsignalline signal signalline
macd crosses macd.signal: macdcross macdcrossover
close > supertrend(10, 3): supertrendbullish supertrendup
macd crosses above macd.signal: macdbullishcrossover macdcrossup
macd.histogram: macdhist macdhistogram macdh macdosc
ppo: ppoline
ppo.histogram: ppohist ppohistogram
sma(12) - sma(26): apo priceoscillator absolutepriceoscillator
stochastic(14, 3, 3).k: stochk slowk %k slowstoch%k slowstoch fullstoch%k stochslow fullstoch k
stochastic(14, 3, 3).d: stochd slowd %d slowstoch%d fullstoch%d d
stochastic(14, 1, 3).k: fastk stochf faststoch faststoch%k stochfast
stochastic(14, 1, 3).d: fastd faststoch%d
stochastic_rsi(14, 14, 3, 3).k: stochrsik
stochastic_rsi(14, 14, 3, 3).d: stochrsid
williams_r(14): %r wm%r williams% percentr
adx(14): dmi dx directionalmovement adxline adxr averagedirectionalmovement
adx(14).plus_di: plusdi diplus di dip pdi plusdm
adx(14).minus_di: minusdi diminus dim mdi minusdm ndi
aroon(25).up: aroonup aroonu
aroon(25).down: aroondown aroond
aroon(25).oscillator: aroonosc aroonoscillator
vortex(14).plus: vortexplus vtxp viplus
vortex(14).minus: vortexminus vtxm viminus
psar: parabolic sarext psarl psars
ichimoku.conversion: tenkan tenkansen conversionline ichimokuconversionline ichimokuconversion its
ichimoku.base: kijun kijunsen baseline ichimokubaseline iks
ichimoku.span_a: senkoua senkouspana spana leadingspana isa
ichimoku.span_b: senkoub senkouspanb spanb leadingspanb isb
max(ichimoku.span_a, ichimoku.span_b): cloudtop cloud ichimokucloud kumo
min(ichimoku.span_a, ichimoku.span_b): cloudbottom
supertrend(10, 3).direction: supertd supertrenddirection superdir
elder_ray.bull: bullpower elderbullpower bullspower
elder_ray.bear: bearpower elderbearpower bearspower
squeeze.on = 1: sqzon squeezeon insqueeze
squeeze.momentum: sqz sqzmom ttmsqueezemomentum
heikin_ashi.close: haclose hac
heikin_ashi.open: haopen hao
candles.doji = 1: doji
candles.hammer = 1: hammer candlestick candlestickpattern candlepattern pattern
candles.marubozu = 1: marubozu
candles.engulfing > 0: engulfing bullishengulfing engulfingbullish bullengulf
candles.engulfing < 0: bearishengulfing engulfingbearish
candles.harami > 0: harami bullishharami
candles.harami < 0: bearishharami
candles.morning_star = 1: morningstar
candles.evening_star = -1: eveningstar
candles.shooting_star = -1: shootingstar invertedhammer
candles.piercing = 1: piercing piercingline
candles.dark_cloud = -1: darkcloud darkcloudcover
candles.three_soldiers = 1: 3whitesoldiers threewhitesoldiers whitesoldiers
candles.three_crows = -1: 3blackcrows threeblackcrows blackcrows
high < high[1] and low > low[1]: insidebar insideday inside
high > high[1] and low < low[1]: outsidebar outsideday
high - low <= lowest(high - low, 7): nr7
high - low <= lowest(high - low, 4): nr4
high > high[1]: higherhigh
high < high[1]: lowerhigh
low > low[1]: higherlow
low < low[1]: lowerlow
high[10] = highest(high, 21): pivothigh swinghigh resistance fractalhigh
low[10] = lowest(low, 21): pivotlow swinglow support fractallow
pivot_points.pivot: pp pivotpoint
pivot_points.r1: r1
pivot_points.s1: s1
pivot_points.r2: r2
pivot_points.s2: s2
change(sma(50), 5): smaslope sma20slope sma50slope sma200slope emaslope maslope
linreg.slope: slope linregslope linearregslope linearregressionslope
linreg(14): tsf timeseriesforecast linearreg
volume / avg(volume, 20): rvol relativevolume relvolume relvol volumeratio unusualvolume vol/avgvol
avg(volume, 20): avgvolume avgvol averagevolume volumeavg volumesma volsma smavolume adv averagedailyvolume avgdailyvolume volumema averagedailyvolume10day avgvolume10d volume20 vol20davg vol20d vol20avg
avg(close * volume, 20): adtv averagedollarvolume avgdollarvolume
close * volume: dollarvolume turnover valuetraded tradedvalue
volume > 2 * avg(volume, 20): volumespike volumesurge highvolume volumebreakout
volume: v vol volumetoday currentvolume todaysvolume regularmarketvolume
volume / shares_outstanding: turnoverrate
(open / close[1] - 1) * 100: gap gapup gapdown gappct gappercent premarketchange overnight opengap openinggap
(close / open - 1) * 100: changefromopen intraday daygain intradaychange
avg(high - low, 20): adr averagedailyrange avgrange dayrange
100 * atr / close: atrpct atrpercent atrp atr% volatilityday
100 * (high - low) / close: rangepct rangepercent pctrange
high - low: range barrange
(close - low) / (high - low): ibs internalbarstrength
historical_volatility(20): volatility volatilityweek volatilitymonth realizedvolatility hvol volatilityd volatilityw volatilitym stdevreturns
stddev(20) * stddev(20): variance var
quantile(close, 20, 0.5): median movingmedian
quantile(close, 20, 0.8): percentile qtl
percent_rank(close, 20): percentrank pctrank tsrank rollingrank
log(close / close[1]): logret logreturn logreturns
beta(symbol('SPY').close, 252): beta1year beta5year betavsspy beta1y
correlation(symbol('SPY').close, 60): correl corr correlationspy corrspy correlationwithspy spycorrelation
change_pct: changepercent percentchange dailychange daychange changep pricechange regularmarketchangepercent dailyreturn pct chg% %change %chg netchange changeabs return1d returnday pricechangepct
pct_change(close, 1): return returns ret pctret
pct_change(close, 5): perfweek performanceweek perfw perf1w return1w return5d fiveday weeklychange weeklyreturn 1wreturn 1wperformance 1wperf 1wmomentum 1wchange 1weekreturn 1weekperformance 1weekperf 1weekmomentum 1weekchange oneweekreturn oneweekperformance oneweekperf oneweekmomentum oneweekchange 5dayreturn 5dayperformance 5dayperf 5daymomentum 5daychange
pct_change(close, 21): perfmonth performancemonth perfm perf1m performance1m return1m ret20d return20d monthlychange monthlyreturn performance perf 1mreturn 1mperformance 1mperf 1mmomentum 1mchange 1monthreturn 1monthperformance 1monthperf 1monthmomentum 1monthchange onemonthreturn onemonthperformance onemonthperf onemonthmomentum onemonthchange 20dayreturn 20dayperformance 20dayperf 20daymomentum 20daychange
pct_change(close, 63): perfquarter performancequarter perfq perf3m return3m performance3m 3mreturn 3mperformance 3mperf 3mmomentum 3mchange 3monthreturn 3monthperformance 3monthperf 3monthmomentum 3monthchange threemonthreturn threemonthperformance threemonthperf threemonthmomentum threemonthchange 1quarterreturn 1quarterperformance 1quarterperf 1quartermomentum 1quarterchange
pct_change(close, 126): perfhalfyear perfhalfy perfhalf perf6m return6m performance6m performancehalfyear 6mreturn 6mperformance 6mperf 6mmomentum 6mchange 6monthreturn 6monthperformance 6monthperf 6monthmomentum 6monthchange sixmonthreturn sixmonthperformance sixmonthperf sixmonthmomentum sixmonthchange halfyearreturn halfyearperformance halfyearperf halfyearmomentum halfyearchange
pct_change(close, 252): perfyear performanceyear perfy perf1y perf12m performance1y return1y return12m ret252d yearlychange annualreturn momentum12m 52weekchange 12mreturn 12mperformance 12mperf 12mmomentum 12mchange 12monthreturn 12monthperformance 12monthperf 12monthmomentum 12monthchange 1yreturn 1yperformance 1yperf 1ymomentum 1ychange 1yearreturn 1yearperformance 1yearperf 1yearmomentum 1yearchange oneyearreturn oneyearperformance oneyearperf oneyearmomentum oneyearchange
pct_change(close, 1260): perf5y performance5y return5y
pct_change(close, 252)[21]: momentum121 mom121
year_to_date: ytd perfytd performanceytd returnytd ytdreturn
close crosses above sma(50): crossover crossesover crossup crossabove crossesabove crossedabove crossingabove crossesup
close crosses below sma(50): crossunder crossdown crossbelow crossesbelow crossedbelow crossingbelow crossesunder crossesdown
close crosses sma(50): cross
sma(50) crosses above sma(200): goldencross
sma(50) crosses below sma(200): deathcross
close > highest(high, 20)[1]: breakout
close > sma(200): uptrend trend bullish trendup above200dma above200ma above200sma abovesma200 priceabovesma200
close < sma(200): downtrend bearish trenddown breakdown below200dma below200ma below200sma belowsma200 pricebelowsma200
rsi(14) < 30: oversold
rsi(14) > 70: overbought
close > close[1] for 3: increasing consecutiveupdays updays greendays streak updaysinarow higherclose longrun consecutiveup threeupdays 3updays upstreak
close < close[1] for 3: decreasing consecutivedowndays downdays reddays lowerclose shortrun consecutivedown threedowndays 3downdays downstreak
close > open: isup green greencandle bullcandle upday
close < open: isdown red redcandle bearcandle downday
anchored_vwap(date = '2024-01-02'): avwap vwapanchored anchoredvwap
bars_since(close > open): barssince
close[1]: prevdayclose previousdayclose priordayclose ref shift lag delay prevclose previousclose priorclose yesterday yesterdaysclose closeyesterday regularmarketpreviousclose valuewhen close1dago yesterdayclose closeprev
high[1]: prevhigh prevdayhigh previousdayhigh priordayhigh previoushigh yesterdayshigh priorhigh yesterdayhigh highyesterday highprev
low[1]: prevlow prevdaylow previousdaylow priordaylow previouslow yesterdayslow priorlow yesterdaylow lowyesterday lowprev
open[1]: prevopen previousopen yesterdayopen yesterdaysopen prioropen
volume[1]: prevvolume previousvolume yesterdayvolume yesterdaysvolume priorvolume
avg(close, 20): tsmean rollingmean
stddev(20): tsstd tsstddev rollingstd
change(close, 1): delta tsdelta diff
rank(pct_change(close, 252)): rsrating relativestrength relativestrengthrating rsrank
rank(pct_change(close, 126)) > 0.9: decile topdecile
rank(pct_change(close, 126), by sector): sectorrank rankinsector sectorrelativestrength
rank(pct_change(close, 126), by industry): industryrank rankinindustry groupstrength
close: last lastprice currentprice regularmarketprice todaysclose today latestprice adjclose adjustedclose c real src source lastclose now todayclose
open: o todaysopen regularmarketopen todayopen
high: h dayhigh todayshigh highofday hod regularmarketdayhigh todayhigh
low: l daylow todayslow lowofday lod regularmarketdaylow todaylow
hlc3: typicalprice typical typprice hlcthree
hl2: medianprice medprice mid
(highest(14) + lowest(14)) / 2: midrange midprice
ohlc4: hlcc4 avgprice averageprice
(high + low + 2 * close) / 4: wclprice weightedclose
highest(high, 252): 52whigh 52weekhigh high52w high52week high52 week52high fiftytwoweekhigh 52wkhigh yearhigh yearlyhigh 1yhigh price52weekhigh new52weekhigh 52weekrange 52wrange highestprice 252dayhigh
lowest(low, 252): 52wlow 52weeklow low52w low52week low52 week52low fiftytwoweeklow 52wklow yearlow yearlylow 1ylow price52weeklow new52weeklow
high >= highest(high, 252): newhigh newhighs new52whigh new52wkhigh isnewhigh
low <= lowest(low, 252): newlow newlows new52wlow new52wklow isnewlow
close / highest(high, 252) - 1: from52whigh below52whigh distancefrom52whigh pctfrom52whigh percentfrom52whigh fromhigh pctfromhigh pctoffhigh offhigh drawdown
close / lowest(low, 252) - 1: from52wlow above52wlow distancefrom52wlow pctfrom52wlow percentfrom52wlow fromlow pctfromlow
highest(high, 50): 50dayhigh high50d
highest(high, 20): hhv 20dayhigh high20d hh highesthigh tsmax rollingmax
lowest(low, 20): llv 20daylow low20d ll lowestlow tsmin rollingmin
lowest(low, 50): 50daylow low50d
highest(high, 5000): alltimehigh ath
lowest(low, 5000): alltimelow atl
weekday: dow dayofweek
weekday = 1: monday
weekday = 5: friday
date >= '2024-01-02': time timestamp datetime
date between '2020-01-01' and '2020-12-31': year
listed_bars: barindex ipodate ipo age barcount ipoage dayssinceipo dayslisted dayssincelisting barssinceipo
weekly(close): week w weeklyclose lastweek
monthly(close): monthlyclose lastmonth
weekly(rsi(14)): weeklyrsi
if(close > open, 1, 0): iff iif casewhen case when ternary
if(change > 0, 1, -1): sign sgn signum
if(rsi(14) is null, 0, rsi(14)): nz coalesce fillna ifnull
rsi(14) is null: na isna isnull isnan
log(close): ln log10
close * close: pow power square sqr
max(open, close): greatest maximum
min(open, close): least minimum
symbol = 'AAPL': ticker syminfoticker tickerid syminfo
company_name: name company shortname longname companyname
type = 'etf': isetf etf quotetype securitytype
type = 'stock': isstock stock commonstock
symbol('SPY').close: spy spx
market_cap: mktcap cap mcap marketcapitalization capitalization marketcapbasic
market_cap < 300M: microcap
market_cap between 300M and 2B: smallcap
market_cap between 2B and 10B: midcap
market_cap > 10B: largecap bigcap megacap
in universe('sp500'): issp500 insp500 sp500member indexmember
pe_ratio: p/e peratio priceearnings pricetoearnings pricetoearningsratio trailingpe priceearningsratio
price_to_sales: p/s priceto sales pricesales salesratio pricetosalestrailing12months
pbr: p/b pbv ptb pricebook p/bv bookratio pricebookfq
pfcf: p/fcf p/cf pcf pricetofcf pricetofreecashflow pricetocashflow pricecashflow
market_cap / cash: price/cash pricetocash pc p/c
ev_to_ebitda: evebitda ev/ebitda enterprisetoebitda enterprisevalueebitda
ev_to_sales: evsales ev/sales enterprisetorevenue evrevenue
enterprise_value / ev_to_ebitda: ebitda
operating_income: ebit operatingprofit
market_cap / pfcf: fcf freecashflow cashflow operatingcashflow ocf
div_yield: dividend dividends dy divyield dividendrate dividend% yield% trailingannualdividendyield dividendyieldrecent
eps / close: earningsyield
fcf_yield * market_cap / revenue: fcfmargin freecashflowmargin
fcf_yield * close: fcfpershare freecashflowpershare
total_debt - cash: netdebt
(total_debt - cash) * ev_to_ebitda / enterprise_value: netdebttoebitda netdebtebitda netdebt/ebitda
eps: epsttm trailingeps earningspershare basiceps
eps_diluted: dilutedeps earningspersharediluted
eps_growth_1y: epsgrowth epsgrowththisyear earningsgrowth epsq/q epsqq earningsquarterlygrowth epsgrowthyoy
eps_growth_5y: epsgrowthpast5years epspast5y
revenue: sales totalrevenue turnoverrevenue netsales revenues salesttm
revenue_growth: salesgrowth salesq/q salesqq revenuegrowthyoy salesgrowthyoy
revenue_growth_5y: salesgrowthpast5years salespast5y
revenue / shares_outstanding: revenuepershare salespershare
net_income: netprofit profit earnings netincometocommon netearnings
net_margin: profitmargin profitmargins netprofitmargin margin margins
gross_margin: grossprofitmargin grossmargins
operating_margin: opermargin operatingmargins ebitmargin opmargin
enterprise_value / ev_to_ebitda / revenue: ebitdamargin ebitdamargins
return_on_equity: returnequity
roe: returnoncommonequity
roa: returnonassets returnassets
roic: roi roce returnoninvestment returnoncapital returnoninvestedcapital returnoncapitalemployed
debt_to_equity: d/e de debteq debt/eq debt/equity debtequity ltdebt/eq debttoequityratio leverage gearing
total_debt / total_assets: debtratio debttoassets
interest_cover: interestcoverage timesinterestearned
payout_ratio: payout dividendpayout
cash: totalcash cashandequivalents
total_debt: debt borrowings
total_equity: equity bookvalue shareholdersequity
total_equity / shares_outstanding: bvps bookvaluepershare
cash / shares_outstanding: cashpershare
shares_outstanding: shsoutstand sharesout so shares totalsharesoutstanding
share_change_1y: dilution sharechange
buyback_yield: buyback buybacks
piotroski: fscore piotroskifscore piotroskif piotroskiscore
altman_z: altman altmanzscore altmanz
days_to_earnings = 0: earningstoday
days_to_earnings: earningsdate daysuntilearnings nextearnings daystillearnings upcomingearnings earningswithin earningsin nextearningsdate
days_since_earnings: lastearnings
target_price: target pricetarget targetmeanprice analysttarget
target_upside: upside pricetargetupside targetpriceupside
analyst_count: analysts numberofanalystopinions analystcount
analyst_consensus = 'buy': rating analystrating recommendation analystrecom recommend recommendationkey recommendationmean recom
insider_net_shares_90d > 0: insidertrans insidertransactions insiderbuying insiders insidernet
insider_buys_90d: insiderbuys insiderpurchases
insider_sells_90d: insidersells insiderselling
`;

/** Words for what no source here has, and for indicators that nothing here is like. */
const ABSENT = `
peg pegratio float sharesfloat floatshares shsfloat floatsharesoutstanding shortfloat floatshort
shortratio shortinterest sharesshort shortpercentoffloat short% short instown insiderown
institutional institutionalownership institutionalown heldpercentinstitutions
heldpercentinsiders insiderownership insttrans forwardpe forwardeps fpe epsnexty epsnextyear
epsnextq epsnext5y epsgrowthnextyear optionvolume impvolatility iv impliedvolatility ivrank
ivpercentile putcall bid ask spread employees numberofemployees fulltimeemployees optionable
shortable stocksplits splits sctr hour minute premarket afterhours premarketvolume elliott
divergence rsidivergence bullishdivergence bearishdivergence macddivergence pennant wedge flag bullflag isadr
cupandhandle headandshoulders trendline vcp maxdrawdown lowfloat premarkethigh premarketlow
inventoryturnover exdividend exdividenddate exdivdate dividendgrowth fibonacci fib fib618 fib50 sharpe sortino alpha jensen openinterest vix ticks
qqe vidya jma mcgd mcginley ssf sinwma fwma hwma hwc rsx rvi rvgi mama fama httrendline htdcperiod
htdcphase htsine htphasor httrendmode entropy kurt kurtosis skew skewness mad bias brar cg cti er
inertia kdj pgo psl thermo aberration accbands cksp decay ttmtrend vhf aobv pvol pvr pdist vp
volumeprofile elderbarcolor elderimpulse stochmomentum rrg seasonality linearregangle
linearregintercept maxindex minindex minmax minmaxindex cum cumsum cumprod sqrt exp ceil floor
round sin cos tan gatr ravi rmi tii twap wad williamsad coppockguide
`;

/** Letters, digits and the signs that tell words apart. */
export function squashed(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9%]/g, '');
}

/** By squashed word, what to write. */
export const USUAL_WORDS: ReadonlyMap<string, string> = new Map(
  WRITTEN.trim()
    .split('\n')
    .flatMap((line) => {
      const end = line.lastIndexOf(': ');
      const written = fieldOfWord(line.slice(0, end)) ?? line.slice(0, end);
      return line
        .slice(end + 2)
        .split(' ')
        .map((word) => [squashed(word), written] as const);
    }),
);

export const ABSENT_WORDS: ReadonlySet<string> = new Set(ABSENT.trim().split(/\s+/).map(squashed));
