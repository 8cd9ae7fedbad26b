import { createHash } from 'node:crypto';

/**
 * The Message-ID of the notice of one reversal to one recipient. It depends on nothing else. A crash between the mail
 * server's "250" and our "sent" causes a second mail, which mail programs recognise as the same by this id.
 */
export function messageIdOf(eventId: string, recipient: string): string {
  const digest = createHash('sha256').update(recipient.toLowerCase()).digest('hex').slice(0, 16);
  return `<reversal.${eventId}.${digest}@notices.offertory>`;
}
