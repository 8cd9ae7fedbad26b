import type { ParsedMail } from 'mailparser';
import type { Ledger } from './ledger-invariants.js';
import { until } from './until.js';

/** Ends the leases of jobs, as if the minute had passed after which the jobs of a killed process are retried. */
export async function letJobsExpire(ledger: Ledger): Promise<void> {
  await ledger.query(`UPDATE job SET leased_until = leased_until - interval '1 minute' WHERE leased_until IS NOT NULL`);
}

/** Waits until every notice has this number of sent deliveries. */
export async function untilNotified(ledger: Ledger, recipients: number, milliseconds: number): Promise<void> {
  await until(async () => {
    const pending = await ledger.query(
      `SELECT FROM notice n WHERE (SELECT count(*) FROM delivery WHERE notice_id = n.id AND status = 'sent') <> $1 LIMIT 1`,
      [recipients],
    );
    return pending.length === 0;
  }, milliseconds);
}

/**
 * Checks that the received mails are exactly those of the sent deliveries; repeated mails have the same Message-ID.
 * @returns the number of different mails and of repeated ones.
 * @throws Error that names the Message-IDs that were only sent or only received.
 */
export async function matchMails(
  ledger: Ledger,
  mails: readonly ParsedMail[],
): Promise<{ delivered: number; repeated: number }> {
  const rows = await ledger.query<{ id: string }>("SELECT message_id AS id FROM delivery WHERE status = 'sent'");
  const sent = new Set(rows.map(({ id }) => id));
  const received = new Set(mails.map(({ messageId }) => messageId ?? 'without a Message-ID'));
  const lost = [...sent].filter((id) => !received.has(id));
  const unknown = [...received].filter((id) => !sent.has(id));
  if (lost.length > 0 || unknown.length > 0)
    throw new Error(`Sent but not received: ${lost.join(' ')}. Received but not sent: ${unknown.join(' ')}.`);
  return { delivered: received.size, repeated: mails.length - received.size };
}
