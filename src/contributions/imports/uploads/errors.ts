import { type ErrorKind, ExpectedError, InvalidRequestError } from '../../../http/index.js';
import { ID_OR_DATE } from '../files/columns.js';
import type { ColumnFaults, UndecidedColumn } from '../files/unusable-columns-error.js';
import type { ImportView } from './showing/import-view.js';

export const IMPORT_NOT_FOUND: ErrorKind = {
  code: 'import_not_found',
  status: 404,
  when: 'No import has this id.',
  example: 'There is no import 7.',
};

export const IMPORT_WITHOUT_RESULT: ErrorKind = {
  code: 'import_without_result',
  status: 404,
  when: 'The import has no result file: it was not tried yet, or its content was deleted.',
  example: 'Import 7 has no result file.',
};

export const IMPORT_CHANGED: ErrorKind = {
  code: 'import_changed',
  status: 409,
  when: 'The import is in another state than the call needs: it runs, was booked, was tried again in another way, or its content was deleted. `current` is the import as it is now.',
  example: 'Import 7 was tried again since. Look at it again; nothing was booked.',
};

export const FILE_NOT_USABLE: ErrorKind = {
  code: 'file_not_usable',
  status: 422,
  when: 'The file is not CSV, or its columns cannot be used with this mapping. Nothing was recorded.',
  example: 'No column is the amount. Nothing was recorded.',
};

/** There is no import with this id. */
export class ImportNotFoundError extends ExpectedError {
  readonly kind = IMPORT_NOT_FOUND;

  constructor(importId: number) {
    super(`There is no import ${importId}.`);
  }
}

/** The import has no result file. */
export class ImportWithoutResultError extends ExpectedError {
  readonly kind = IMPORT_WITHOUT_RESULT;

  constructor(importId: number) {
    super(`Import ${importId} has no result file.`);
  }
}

const IN_STATE: Readonly<Record<ImportView['state'], string>> = {
  new: 'was not tried yet',
  checking: 'is being tried now',
  checked: 'was tried again since',
  booking: 'is being recorded now',
  stopped: 'was recorded in part, and can only be continued as it was',
  booked: 'is recorded already',
};

/** Somebody else was faster, or the import cannot do this any more. */
export class ImportChangedError extends ExpectedError {
  readonly kind = IMPORT_CHANGED;

  constructor(override readonly current: ImportView) {
    const { importId, state, contentDeletedAt } = current;
    const what = contentDeletedAt === null ? IN_STATE[state] : 'has no content any more';
    super(`Import ${importId} ${what}. Nothing was changed.`);
  }
}

/** The file cannot be imported. */
export class FileNotUsableError extends ExpectedError {
  readonly kind = FILE_NOT_USABLE;

  constructor(
    message: string,
    /** What a person has to decide; undefined if something else is wrong. */
    readonly columns?: ColumnFaults,
  ) {
    super(message);
  }
}

/** The columns cannot be used, in words that name no option of the command line. */
export function columnsNotUsable(columns: ColumnFaults): FileNotUsableError {
  const { faults, missing, undecided } = columns;
  const sentences = [
    ...faults.map((fault) => `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.`),
    ...missing.map(missingInWords),
    ...undecided.map((column) => `The column “${column.name}” ${meaningOf(column)}: decide what it is.`),
  ];
  return new FileNotUsableError(`${sentences.join(' ')} Nothing was recorded.`, columns);
}

/** What is missing, and what to do. */
export function missingInWords(field: string): string {
  if (field === 'Source') return 'The source is missing: say where these gifts come from.';
  if (field === ID_OR_DATE) return 'No column is the transaction id or the date, which tell equal gifts apart.';
  const name = NAMES[field] ?? field;
  const orElse = field === 'Email' || field === 'Phone' ? ', or accept rows that lack contacts' : '';
  return `No column is the ${name}: choose one${orElse}.`;
}

const NAMES: Readonly<Record<string, string>> = {
  First: 'first name',
  Last: 'last name',
  Email: 'e-mail address',
  Phone: 'phone number',
  Amount: 'amount',
};

/** What a column can mean, without the advice for the command line. */
export function meaningOf({ why }: UndecidedColumn): string {
  return why.split(/[.:](?: |$)/, 1)[0] ?? why;
}

/** The user whose gifts they are does not exist or is disabled. */
export function noSuchUser(): InvalidRequestError {
  const message = 'must be the name of a user that is not disabled';
  return InvalidRequestError.ofFields([{ field: 'user', message }]);
}
