import { createHash } from 'node:crypto';

/** A statement that is sent for every gift. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

/**
 * Has each connection parse and plan a statement once and not each time; `text` must be a constant. The name follows
 * from the text: two statements can never share one.
 */
export function prepared(text: string): PreparedStatement {
  return { name: createHash('sha256').update(text).digest('base64url'), text };
}
