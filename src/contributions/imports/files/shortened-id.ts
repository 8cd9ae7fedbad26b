import { InvalidRequestError } from '../../../http/index.js';

/**
 * A number as spreadsheets and data tools write a long one: `1.23457E+15`, `1.23457E15`, `1,23E+5`, `1e+16`. A decimal
 * sign or a sign after the E tells it from an id of hexadecimal digits, such as `4E12`.
 */
const SCIENTIFIC = /^-?\d+[.,]\d+e[+-]?\d+$|^-?\d+e[+-]\d+$/i;

/** @throws InvalidRequestError for an id that a spreadsheet has shortened: several gifts may have become this one. */
export function assertNotShortened(transactionId: string): void {
  if (!SCIENTIFIC.test(transactionId)) return;
  const message =
    `${transactionId} is not an id, but a long number that a spreadsheet has shortened. Import the file as it was ` +
    'exported, without opening it in a spreadsheet. Where it must be edited there, read the column as text (in Excel: ' +
    'Data, From Text/CSV, Transform Data, type Text)';
  throw InvalidRequestError.ofFields([{ field: 'TransactionId', message }]);
}

/** Spreadsheets keep this many digits of a number and make the rest zeros. */
const KEPT_DIGITS = 15;
/** So many zeros at once are a chance of one in a million. */
const CERTAIN_ZEROS = 6;

/**
 * Counts ids that are numbers of more digits than a spreadsheet keeps. One of them may end in zeros by chance, and so
 * it is never refused; where all of them do, somebody should look.
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

  /** A sentence for a person, where the ids look as if they were rounded. */
  warning(): string | undefined {
    if (!this.isRounded || this.zeros < CERTAIN_ZEROS) return undefined;
    return (
      `Warning: all ${this.ids} ids of more than ${KEPT_DIGITS} digits end in zeros. A spreadsheet may have rounded them: ` +
      'compare one with the processor, and import the file as it was exported.'
    );
  }
}
