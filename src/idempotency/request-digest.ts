import { hash } from 'node:crypto';

/**
 * SHA-256 over validated fields, which tells whether two requests are the same: in whatever order and notation they
 * were sent, and with what was left out left out. Fields of objects within are expected in one order.
 */
export function requestDigest(fields: object): Buffer {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined);
  sent.sort(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify(sent), 'buffer');
}
