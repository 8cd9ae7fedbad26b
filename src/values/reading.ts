/**
 * The result of reading one field of a request: its value, or one short English sentence that says what is accepted.
 * The sentence never quotes the input, so answers and logs can contain it without repeating personal data.
 */
export type Reading<T> = { readonly value: T } | { readonly fault: string };

export function read<T>(value: T): Reading<T> {
  return { value };
}

export function fault(message: string): { readonly fault: string } {
  return { fault: message };
}

export function isFault<T>(reading: Reading<T>): reading is { readonly fault: string } {
  return 'fault' in reading;
}
