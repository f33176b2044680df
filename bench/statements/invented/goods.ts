/** Writes income statements of companies that sell goods and services. */

import { type Filer, negated, own, split, sum } from './filer.ts';
import { writeProfit, writeTaxes } from './income.ts';

export function writeGoods(f: Filer): void {
  const revenue = f.amount(2000, 9000);
  const style = f.pick(['single', 'single', 'goodsServices', 'own', 'excise', 'cards', 'first']);
  f.truth.revenue = revenue;
  const salesTag = f.pick([
    'Revenues',
    'RevenueFromContractWithCustomerExcludingAssessedTax',
    'SalesRevenueNet',
    'RevenueFromContractWithCustomerIncludingAssessedTax',
  ]);
  const cost = Math.round((revenue / f.unit) * (0.4 + 0.3 * (f.chance(0.5) ? 1 : 0))) * f.unit;
  if (style === 'goodsServices') {
    f.traits.push('goods and services');
    const [goods, services] = split(f, revenue, [0.7]);
    const isOwn = f.chance(0.4);
    f.add('IS', [
      isOwn ? 'ProductSales' : 'SalesRevenueGoodsNet',
      'Product sales',
      goods,
      isOwn ? own : {},
    ]);
    f.add('IS', [
      isOwn ? 'ServiceSales' : 'SalesRevenueServicesNet',
      'Services',
      services,
      isOwn ? own : {},
    ]);
    f.add('IS', [salesTag, f.pick(['Total revenues', 'Total net sales', 'Net revenues']), revenue]);
  } else if (style === 'excise') {
    f.traits.push('excise taxes');
    const excise = f.amount(40, 300);
    f.add('IS', [
      'SalesIncludingExciseTaxes',
      'Sales, including excise taxes',
      revenue + excise,
      own,
    ]);
    f.add('IS', ['ExciseAndSalesTaxes', 'Excise taxes', excise, negated]);
    f.add('IS', [salesTag, 'Net sales', revenue]);
  } else if (style === 'cards') {
    f.traits.push('revenue of credit cards');
    const [sold, cards] = split(f, revenue, [0.95]);
    const tag = salesTag === 'Revenues' ? 'SalesRevenueNet' : salesTag;
    f.add('IS', [tag, 'Sales', sold]);
    f.add('IS', [
      'CreditCardRevenuesNet',
      f.pick(['Credit card revenues', 'Other revenue']),
      cards,
      own,
    ]);
    f.add('IS', ['Revenues', 'Total revenue', revenue]);
  } else if (style === 'first') {
    f.traits.push('total before its parts');
    const [domestic, foreign] = split(f, revenue, [0.6]);
    f.add('IS', [salesTag, 'Net sales', revenue]);
    f.add('IS', ['SalesAtHome', 'Of which United States', domestic, own]);
    f.add('IS', ['SalesAbroad', 'Of which other countries', foreign, own]);
  } else if (style === 'own') {
    f.traits.push('revenue in an own concept');
    f.add('IS', ['NetSalesIncludingFranchise', 'Net sales', revenue, own]);
  } else {
    f.add('IS', [
      salesTag,
      f.pick(['Net sales', 'Revenue', 'Revenues', 'Total revenue', 'Sales']),
      revenue,
    ]);
  }
  const costs = f.pick(['single', 'single', 'two', 'apart', 'excluding', 'none']);
  const hasGross = f.chance(0.5);
  f.truth.costOfRevenue = cost;
  const costMore = f.trait('cost tagged negative', 0.12) ? -1 : 1;
  if (costs === 'two' || costs === 'apart') {
    f.traits.push(`costs of sales: ${costs}`);
    const [first, second] = split(f, cost, [0.8]);
    f.add('IS', ['CostOfGoodsSold', 'Cost of products sold', first]);
    f.add('IS', ['CostOfServices', 'Cost of services', second]);
    if (costs === 'two') f.add('IS', ['CostOfRevenue', 'Total cost of revenues', cost]);
  } else if (costs === 'none') {
    f.truth.costOfRevenue = null;
  } else {
    const tag =
      costs === 'excluding'
        ? 'CostOfGoodsAndServiceExcludingDepreciationDepletionAndAmortization'
        : f.pick(['CostOfRevenue', 'CostOfGoodsAndServicesSold', 'CostOfGoodsSold']);
    const label =
      costs === 'excluding'
        ? 'Cost of sales (exclusive of depreciation)'
        : f.pick(['Cost of sales', 'Cost of goods sold', 'Cost of revenue']);
    f.add('IS', [tag, label, costMore * cost]);
  }
  const gross = revenue - cost;
  if (hasGross && costs !== 'none')
    f.add('IS', ['GrossProfit', f.pick(['Gross profit', 'Gross margin']), gross]);
  f.truth.grossProfit = costs === 'none' ? null : gross;
  if (f.trait('depreciation beside costs', 0.2)) {
    const worn = f.amount(20, 90);
    f.depreciation = [
      'DepreciationDepletionAndAmortization',
      'Depreciation and amortization',
      worn,
    ];
  }
  const sga = f.amount(150, 400);
  const rd = f.amount(20, 200);
  const spent: number[] = [];
  if (f.trait('selling and administration apart', 0.3)) {
    const [selling, general] = split(f, sga, [0.6]);
    f.add('IS', ['SellingAndMarketingExpense', 'Sales and marketing', selling]);
    f.add('IS', ['GeneralAndAdministrativeExpense', 'General and administrative', general]);
  } else {
    f.add('IS', [
      'SellingGeneralAndAdministrativeExpense',
      'Selling, general and administrative',
      sga,
    ]);
  }
  spent.push(sga);
  f.truth.sellingGeneralAdministrative = sga;
  if (f.depreciation) {
    f.add('IS', f.depreciation);
    spent.push(f.depreciation[2]);
  }
  if (f.chance(0.5)) {
    f.add('IS', ['ResearchAndDevelopmentExpense', 'Research and development', rd]);
    spent.push(rd);
    f.truth.researchDevelopment = rd;
  }
  if (f.trait('restructuring in an own concept', 0.2)) {
    const one = f.amount(5, 50);
    f.add('IS', ['RestructuringAndOtherCharges', 'Restructuring and other charges', one, own]);
    spent.push(one);
  }
  if (costs === 'none') {
    f.add('IS', ['OtherCostAndExpenseOperating', 'Crew, fuel and other operating expenses', cost]);
  }
  const total = sum(spent) + (costs === 'none' || !hasGross ? cost : 0);
  if (costs === 'none' || f.chance(0.4)) {
    const tag = costs === 'none' || !hasGross ? 'CostsAndExpenses' : 'OperatingExpenses';
    f.add('IS', [
      tag,
      tag === 'OperatingExpenses' ? 'Total operating expenses' : 'Total costs and expenses',
      total,
    ]);
  }
  const operating = gross - sum(spent);
  f.truth.operatingIncome = operating;
  f.add('IS', [
    'OperatingIncomeLoss',
    f.pick([
      'Operating income',
      'Income from operations',
      'Operating profit',
      'Operating income (loss)',
    ]),
    operating,
  ]);
  const interest = f.amount(10, 90);
  f.truth.interestExpense = interest;
  f.add('IS', [
    'InterestExpense',
    'Interest expense',
    f.chance(0.2) ? -interest : interest,
    f.chance(0.5) ? negated : {},
  ]);
  const other = f.amount(3, 40) * f.pick([-1, 1]);
  f.add('IS', [
    f.chance(0.3) ? 'OtherItemsNet' : 'OtherNonoperatingIncomeExpense',
    'Other income (expense), net',
    other,
  ]);
  writeProfit(f, writeTaxes(f, operating - interest + other));
  if (f.trait('notes of segments', 0.5)) {
    f.segment(salesTag, Math.round(revenue * 0.4), 4);
    f.segment('OperatingIncomeLoss', Math.round(operating * 0.6), 4);
  }
  if (f.trait('revenue of a note', 0.2)) f.note('RevenueFromRelatedParties', f.amount(10, 60), 4);
}
