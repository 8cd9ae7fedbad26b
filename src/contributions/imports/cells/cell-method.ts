import { trimText } from '../../../values/index.js';
import type { PaymentMethod } from '../../ledger/index.js';

/** Words with which processors name a way of paying, folded. */
const WORDS: Readonly<Record<Exclude<PaymentMethod, 'other'>, string>> = {
  card: 'card, cc, creditcard, debitcard, credit, debit, creditdebit, creditordebitcard, creditdebitcard, visa, mastercard, amex, americanexpress, discover',
  ach: 'ach, bank, bankaccount, banktransfer, bankdraft, echeck, electroniccheck, directdebit, eft, usbankaccount, achdebit, checkingaccount, savingsaccount',
  check: 'check, cheque, papercheck, personalcheck',
  cash: 'cash, coin, cashcoin',
  wallet: 'wallet, applepay, googlepay, paypal, venmo, cashapp, link, samsungpay',
};

const METHOD_OF_WORD: ReadonlyMap<string, string> = new Map(
  Object.entries(WORDS).flatMap(([method, words]) => words.split(', ').map((word) => [word, method] as const)),
);

/** The payment method that a processor's word means; the word itself if it is not known. */
export function readCellMethod(cell: string): string {
  const word = trimText(cell)
    .toLowerCase()
    .replace(/[^a-z]/g, '');
  return METHOD_OF_WORD.get(word) ?? cell;
}
