import { fault, foldFieldName, InvalidRequestError, isFault, type Reading } from '../../http/index.js';

/** What stands behind the question mark of an address. */
export type Query = Readonly<Record<string, unknown>>;

/** What was sent under this name in any letter case. @throws InvalidRequestError when it was sent twice. */
export function valueOf(query: Query, name: string): unknown {
  const sent = Object.entries(query).flatMap(([key, value]) =>
    foldFieldName(key) === foldFieldName(name) ? [value] : [],
  );
  if (sent.length > 1 || Array.isArray(sent[0])) throw refusal({ [name]: fault('must not be given twice') });
  return sent[0];
}

/** The error for those of these parts of an address that did not pass. */
export function refusal(readings: Record<string, Reading<unknown> | undefined>): InvalidRequestError {
  return InvalidRequestError.ofFields(
    Object.entries(readings).flatMap(([field, reading]) =>
      reading !== undefined && isFault(reading) ? [{ field, message: reading.fault }] : [],
    ),
  );
}
