import { InvalidRequestError } from '../../../http/index.js';

/**
 * A long number in the notation of spreadsheets and data tools: `1.23457E+15`, `1.23457E15`, `1,23E+5`, `1e+16`. It has a
 * decimal sign, or a sign after the E, which an id of hexadecimal digits such as `4E12` does not have.
 */
const SCIENTIFIC = /^-?\d+[.,]\d+e[+-]?\d+$|^-?\d+e[+-]\d+$/i;

/** @throws InvalidRequestError for an id that a spreadsheet has shortened, because several gifts may now share it. */
export function assertNotShortened(transactionId: string): void {
  if (!SCIENTIFIC.test(transactionId)) return;
  const message =
    `${transactionId} is not an id, but a long number that a spreadsheet has shortened. Import the file as it was ` +
    'exported, without opening it in a spreadsheet. Where it must be edited there, read the column as text (in Excel: ' +
    'Data, From Text/CSV, Transform Data, type Text)';
  throw InvalidRequestError.ofFields([{ field: 'TransactionId', message }]);
}

/** Spreadsheets keep this many digits of a number and replace the rest by zeros. */
const EXACT_DIGITS = 15;
/** This many zeros occur by chance once in a million. */
const CERTAIN_ZEROS = 6;

/**
 * Counts ids that are numbers with more digits than a spreadsheet keeps. A single id may end in zeros by chance, so it is
 * not refused. If all of them end in zeros, the user gets a warning.
 */
export class LongNumbers {
  private ids = 0;
  private zeros = 0;
  private isRounded = true;

  add(transactionId: string): void {
    const rest = /^\d{15}(\d+)$/.exec(transactionId)?.[1];
    if (rest === undefined) return;
    this.ids++;
    this.zeros += rest.length;
    this.isRounded &&= /^0+$/.test(rest);
  }

  /** A warning for the user if the ids seem to be rounded. */
  warning(): string | undefined {
    if (!this.isRounded || this.zeros < CERTAIN_ZEROS) return undefined;
    return (
      `Warning: all ${this.ids} ids of more than ${EXACT_DIGITS} digits end in zeros. A spreadsheet may have rounded them: ` +
      'compare one with the processor, and import the file as it was exported.'
    );
  }
}
