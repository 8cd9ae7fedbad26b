import type { VNode } from 'preact';
import { usePage } from '../frame/page-context.js';

/** An amount with its separators: "1,234.50", "−12.00". @param amount decimal text; no number ever holds it. */
export function groupedAmount(amount: string): string {
  const [, sign = '', whole = '', decimals = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(amount) ?? [];
  if (whole === '') throw new Error('An amount is decimal text');
  return `${sign === '' ? '' : '−'}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}${decimals}`;
}

/** An amount without decimals, rounded: "1,235", "−12". @param amount decimal text, as {@link groupedAmount}. */
export function roundedAmount(amount: string): string {
  const rounded = WHOLE.format(amount as Intl.StringNumericLiteral);
  return groupedAmount(rounded);
}

/** Reads decimal text exactly. */
const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0, signDisplay: 'negative', useGrouping: false });

/** An amount in a sentence, a button or a message: "USD 1,234.50". @param amount decimal text, as {@link groupedAmount}. */
export function amountInWords(amount: string, currency: string): string {
  return `${currency} ${groupedAmount(amount)}`;
}

interface AmountProps {
  /** Decimal text: "-12.00". */
  readonly value: string;
  /** Shown if it is not the church's. */
  readonly currency?: string;
}

/** An amount of money. A negative one has a sign, and another color. */
export function Amount({ value, currency }: AmountProps): VNode {
  const { church } = usePage();
  const unit = currency === undefined || currency === church.currency ? '' : `${currency} `;
  return (
    <span class={value.startsWith('-') ? 'amount negative' : 'amount'}>
      {unit}
      {groupedAmount(value)}
    </span>
  );
}
