import { InvalidRequestError, isFault, type Reading } from '../../http/index.js';

/** The error for those of these parts of an address that did not pass. */
export function refusal(readings: Record<string, Reading<unknown> | undefined>): InvalidRequestError {
  return InvalidRequestError.ofFields(
    Object.entries(readings).flatMap(([field, reading]) =>
      reading !== undefined && isFault(reading) ? [{ field, message: reading.fault }] : [],
    ),
  );
}
