import { Injectable, type Type } from '@nestjs/common';
import { Church } from '../../config/index.js';
import {
  ExpectedError,
  type FieldFault,
  FORM_TOKEN_FIELD,
  InvalidRequestError,
  type Query,
  RequestReader,
} from '../../http/index.js';
import { type FormState, typedIn, type RefusedForm } from './form-state.js';
import { inWordsOfPages } from './words-of-pages.js';

/** A form that was read: its value, or what is wrong with it. `state` shows the form again with what was typed. */
export type FormReading<T> =
  | { readonly isValid: true; readonly value: T; readonly state: FormState }
  | { readonly isValid: false; readonly state: FormState };

/** Reads forms, and the queries of pages, with the request classes and field readers of the API. */
@Injectable()
export class FormReader {
  /** Of the church's currency: "$" and "USD". */
  private readonly currencySigns: readonly string[];

  constructor(
    private readonly reader: RequestReader,
    { currency }: Church,
  ) {
    this.currencySigns = [signOf(currency), currency];
  }

  /**
   * @param sent from `@SentForm()` or `@Query()`. Blank fields count as missing, and unknown ones are ignored.
   * @param amounts names of fields in which an amount may be written with commas and the sign of the church's currency:
   * "$1,234.50".
   */
  read<T extends object>(request: Type<T>, sent: Query, amounts: readonly string[] = []): FormReading<T> {
    const typed = typedIn(sent);
    try {
      const value = this.reader.read(request, plainAmounts(fieldsIn(sent), amounts, this.currencySigns));
      return { isValid: true, value, state: { typed, faults: [] } };
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      const isOfFields = error.faults.length > 0;
      const message = isOfFields ? {} : { message: inWordsOfPages(error.message, error.kind.code) };
      return { isValid: false, state: { typed, faults: faultsInWords(error.faults, amounts), ...message } };
    }
  }

  /**
   * The state of a valid form that the use case refused, to show it again with what was typed. Rethrows any error that is not
   * part of the contract.
   */
  refused({ typed }: FormState, error: unknown): RefusedForm {
    if (!(error instanceof ExpectedError) || error.kind.status >= 500) throw error;
    const faults = error instanceof InvalidRequestError ? faultsInWords(error.faults) : [];
    // Faults are said beside their fields, with the labels of the page.
    const message = faults.length > 0 ? {} : { message: inWordsOfPages(error.message, error.kind.code) };
    return { typed, faults, ...message, status: error.kind.status, code: error.kind.code };
  }
}

/**
 * The fields that were filled in: a browser also sends empty ones, and those request classes that ignore nothing refuse them.
 * Browsers send line breaks as CR LF.
 */
function fieldsIn(sent: Query): Query {
  const clean = (text: string): string => text.replaceAll('\r\n', '\n');
  const filled = Object.entries(sent).filter(([name, value]) => name !== FORM_TOKEN_FIELD && !isBlank(value));
  return Object.fromEntries(
    filled.map(([name, value]) => [name, typeof value === 'string' ? clean(value) : value.map(clean)]),
  );
}

function isBlank(value: Query[string]): boolean {
  return typeof value === 'string' && value.trim() === '';
}

const GROUPED = /^\s*[-\u{2212}]?\d{1,3}(?:,\d{3})+(?:\.\d*)?\s*$/u;

/** An amount without the commas that may separate its thousands. */
export function plainAmount(text: string): string {
  return GROUPED.test(text) ? text.replaceAll(',', '') : text;
}

function plainAmounts(fields: Query, amounts: readonly string[], signs: readonly string[]): Query {
  const plain = (name: string, value: Query[string]): Query[string] =>
    amounts.includes(name) && typeof value === 'string' ? plainAmount(withoutSign(value, signs)) : value;
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plain(name, value)]));
}

function withoutSign(amount: string, signs: readonly string[]): string {
  const text = amount.trim();
  const sign = signs.find((one) => text.startsWith(one));
  return sign === undefined ? amount : text.slice(sign.length);
}

function signOf(currency: string): string {
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  const parts = new Intl.NumberFormat('en', style).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}

function faultsInWords(faults: readonly FieldFault[], amounts: readonly string[] = []): FieldFault[] {
  return faults.map(({ field, message }) => {
    const text = inWordsOfPages(message);
    return { field, message: amounts.includes(field) ? withGroups(text) : text };
  });
}

/** What is wrong with an amount in which commas may separate thousands. The sign that is wrong is that of another currency. */
function withGroups(message: string): string {
  return message
    .replace(/, without sign, symbol or separator$/, ', without a minus or a currency sign')
    .replace(/, without symbol or separator$/, ', without a currency sign');
}
