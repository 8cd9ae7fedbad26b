import { createHash } from 'node:crypto';

/**
 * The Message-ID of the notice of one reversal to one recipient. It depends on nothing else, so that a mail sent twice,
 * which a crash between the server's "250" and our "sent" makes, is known to mail programs as one.
 */
export function messageIdOf(eventId: string, recipient: string): string {
  const digest = createHash('sha256').update(recipient.toLowerCase()).digest('hex').slice(0, 16);
  return `<reversal.${eventId}.${digest}@notices.offertory>`;
}
