import { randomBytes } from 'node:crypto';

/** As many as the HMAC with SHA-256 uses. */
const SECRET_BYTES = 32;

/** A new secret, in the notation of Standard Webhooks. */
export function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}
