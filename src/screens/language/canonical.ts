/** Writes an expression in its normal form: the same text for every spelling of it. */

import type { Expression } from './expression.ts';

/** Precedence of forms, from the weakest on. */
const OR = 1;
const AND = 2;
const NOT = 3;
const TEST = 4;
const SUM = 5;
const PRODUCT = 6;
const SIGN = 7;
const PRIMARY = 8;

interface Written {
  text: string;
  precedence: number;
}

const SIGNS = { add: '+', subtract: '-', multiply: '*', divide: '/' } as const;

/** The text parses to the same expression, with defaults filled in and names in lower case. */
export function canonicalText(expression: Expression): string {
  return written(expression).text;
}

/** Text of a part that binds at least as tightly, in parentheses where it does not. */
function inside(expression: Expression, precedence: number): string {
  const { text, precedence: own } = written(expression);
  return own < precedence ? `(${text})` : text;
}

function written(expression: Expression): Written {
  switch (expression.kind) {
    case 'number': {
      const { value } = expression;
      const isSigned = value < 0 || Object.is(value, -0);
      return { text: `${value}`, precedence: isSigned ? SIGN : PRIMARY };
    }
    case 'text':
      return primary(quotedText(expression.value));
    case 'price':
      return primary(expression.name);
    case 'field': {
      const [kind, name] = expression.name.split(' ');
      if (kind === 'universe') return test(`in universe(${quotedText(name)})`);
      return primary(name ?? kind);
    }
    case 'indicator': {
      const { spec, source, params, output } = expression;
      const values = spec.params.map(({ name }) => `${params[name]}`);
      const args = [...(source ? [canonicalText(source)] : []), ...values];
      const suffix = spec.outputs.length > 1 ? `.${output}` : '';
      return primary(`${spec.name}(${args.join(', ')})${suffix}`);
    }
    case 'rolling':
      return primary(
        `${expression.name}(${[canonicalText(expression.of), ...(expression.bars === 0 ? [] : [expression.bars]), ...(expression.share === undefined ? [] : [expression.share])].join(', ')})`,
      );
    case 'interval': {
      const name = expression.interval === '1w' ? 'weekly' : 'monthly';
      return primary(`${name}(${canonicalText(expression.of)})`);
    }
    case 'symbol':
      return primary(`symbol(${quotedText(expression.symbol)}, ${canonicalText(expression.of)})`);
    case 'across': {
      const { name, of, by, among } = expression;
      const clauses = [
        ...(by ? [`by ${by}`] : []),
        ...(among ? [`among ${canonicalText(among)}`] : []),
      ];
      return primary(`${name}(${[canonicalText(of), ...clauses].join(', ')})`);
    }
    case 'offset':
      return primary(`${inside(expression.of, PRIMARY)}[${expression.bars}]`);
    case 'row':
      return row(expression);
    case 'compare': {
      const { left, operator, right } = expression;
      return test(`${inside(left, SUM)} ${operator} ${inside(right, SUM)}`);
    }
    case 'cross': {
      const { left, direction, right } = expression;
      const word = direction === 'either' ? 'crosses' : `crosses ${direction}`;
      return test(`${inside(left, SUM)} ${word} ${inside(right, SUM)}`);
    }
    case 'between': {
      const { of, low, high } = expression;
      return test(`${inside(of, SUM)} between ${inside(low, SUM)} and ${inside(high, SUM)}`);
    }
    case 'inNumbers':
      return test(`${inside(expression.of, SUM)} in (${expression.list.join(', ')})`);
    case 'inTexts':
      return test(`${expression.name} in (${expression.list.map(quotedText).join(', ')})`);
    case 'isNull':
      return test(`${inside(expression.of, SUM)} is null`);
    case 'window':
      return test(`${inside(expression.of, TEST)} ${expression.word} ${expression.bars}`);
    case 'not':
      return { text: `not ${inside(expression.of, NOT)}`, precedence: NOT };
    case 'and':
    case 'or': {
      const own = expression.kind === 'and' ? AND : OR;
      // One in another of the same kind needs no parentheses: it is the same.
      const parts = expression.of.map((part) => inside(part, own));
      return { text: parts.join(` ${expression.kind} `), precedence: own };
    }
  }
}

function row({ name, of }: Extract<Expression, { kind: 'row' }>): Written {
  switch (name) {
    case 'negate':
      return { text: `-${inside(of[0], SIGN)}`, precedence: SIGN };
    case 'add':
    case 'subtract':
    case 'multiply':
    case 'divide': {
      const own = name === 'add' || name === 'subtract' ? SUM : PRODUCT;
      // Operators group from the left.
      const text = `${inside(of[0], own)} ${SIGNS[name]} ${inside(of[1], own + 1)}`;
      return { text, precedence: own };
    }
    default:
      return primary(`${name}(${of.map(canonicalText).join(', ')})`);
  }
}

function primary(text: string): Written {
  return { text, precedence: PRIMARY };
}

function test(text: string): Written {
  return { text, precedence: TEST };
}

function quotedText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
