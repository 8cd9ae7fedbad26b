/**
 * What became of one field of a request: its value, or one short English sentence that says what is accepted.
 * The sentence never quotes what was sent, so it can be answered and logged without repeating personal data.
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
