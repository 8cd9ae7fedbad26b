/** The details of a giver as sent with a gift, trimmed and in NFC. */
export interface Giver {
  readonly first: string;
  readonly last: string;
  readonly email: string;
  readonly phone: string;
  readonly address: string | null;
  readonly zip: string | null;
}
