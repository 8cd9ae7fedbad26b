import type { ParsedMail } from 'mailparser';
import type { Ledger } from './ledger-invariants.js';
import { until } from './until.js';

/** A job that was under way when its process was killed is tried again within a minute: lets that minute pass. */
export async function letJobsExpire(ledger: Ledger): Promise<void> {
  await ledger.query(`UPDATE job SET leased_until = leased_until - interval '1 minute' WHERE leased_until IS NOT NULL`);
}

/** Waits until of every notice so many deliveries are sent. */
export async function untilTold(ledger: Ledger, recipients: number, milliseconds: number): Promise<void> {
  await until(async () => {
    const untold = await ledger.query(
      `SELECT FROM notice n WHERE (SELECT count(*) FROM delivery WHERE notice_id = n.id AND status = 'sent') <> $1 LIMIT 1`,
      [recipients],
    );
    return untold.length === 0;
  }, milliseconds);
}

/**
 * Every delivery that is sent has come, and nothing else has; a repeated mail can be told from its Message-ID.
 * @throws Error that names the Message-IDs that came without being sent, or the other way about.
 */
export async function matchMails(
  ledger: Ledger,
  mails: readonly ParsedMail[],
): Promise<{ told: number; repeated: number }> {
  const rows = await ledger.query<{ id: string }>("SELECT message_id AS id FROM delivery WHERE status = 'sent'");
  const sent = new Set(rows.map(({ id }) => id));
  const came = new Set(mails.map(({ messageId }) => messageId ?? 'without a Message-ID'));
  const lost = [...sent].filter((id) => !came.has(id));
  const unknown = [...came].filter((id) => !sent.has(id));
  if (lost.length > 0 || unknown.length > 0)
    throw new Error(`Sent but not come: ${lost.join(' ')}. Come but not sent: ${unknown.join(' ')}.`);
  return { told: came.size, repeated: mails.length - came.size };
}
