/** SQL for the names of the source, the payout and the currency of its gifts. */
interface PayoutInSql {
  readonly source: string;
  readonly payoutId: string;
  readonly currency: string;
}

/**
 * SQL for the id of the deposit to which the gifts of a payout belong; null if there is none: the one of Finance with its name,
 * or that of a processor if the processor has sent all gifts of the payout. So nobody's gifts get into the deposit of another
 * processor by themselves.
 */
export function depositOfPayout({ source, payoutId, currency }: PayoutInSql): string {
  return `(
    SELECT d.id FROM deposit d
    WHERE d.source = ${source} AND d.deposit_id = ${payoutId} AND d.currency = ${currency}
      AND (d.user_id IS NULL OR NOT EXISTS (
        SELECT FROM payment others JOIN contribution gift ON gift.id = others.id
        WHERE others.payout_id = ${payoutId} AND gift.source = ${source} AND gift.currency = ${currency}
          AND gift.added_by <> d.user_id))
    ORDER BY d.user_id NULLS FIRST LIMIT 1)`;
}
