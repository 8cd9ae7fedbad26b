/** A giver's details in the fields of AddContribution. */
export interface Details {
  readonly First: string;
  readonly Last: string;
  readonly Email: string;
  readonly Phone: string;
}

let count = 0;

/** Letters that no other call returns. */
export function letters(): string {
  count += 1;
  return `${count.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'.charAt(Number(digit)))}k`;
}

/** A valid number of the United States that no other call returns, as its ten digits. */
export function phone(): string {
  count += 1;
  return `615730${String(1000 + count)}`;
}

/** An e-mail address that no other call returns. */
export function email(): string {
  return `${letters()}@example.net`;
}

/** The details of a unique giver. `fields` replace the defaults. */
export function giver(fields: Partial<Details> = {}): Details {
  const unique = letters();
  return { First: `Ann${unique}`, Last: `Lee${unique}`, Email: email(), Phone: phone(), ...fields };
}
