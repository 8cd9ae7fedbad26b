import type { Answer, Client } from '../support/client.js';

/** The result of one gift of a batch. */
export interface GiftResult {
  readonly Index: number;
  readonly Status: number;
  readonly Answer?: { readonly ContributionId: number; readonly PeopleId: number };
  readonly Problem?: { readonly code: string };
}

/** AddContributions with these gifts. */
export function addBatch(client: Client, gifts: readonly object[]): Promise<Answer> {
  return client.request('/Api/AddContributions', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ Gifts: gifts }),
  });
}

/** The results in an answer of AddContributions. */
export function resultsOf({ status, body }: Answer): readonly GiftResult[] {
  if (status !== 200) throw new Error(`A batch was answered with ${status} ${JSON.stringify(body)}`);
  return body['Results'] as readonly GiftResult[];
}

/** @param cents a whole number. @returns the amount as in the books, with two decimals. */
export function amountOf(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

/** Splits an amount into parts for these funds, the first of them the largest. @param cents at least 1 for each fund. */
export function splitsOf(cents: number, fundIds: readonly number[]): { Amount: string; FundId: number }[] {
  const each = Math.floor(cents / fundIds.length);
  return fundIds.map((FundId, index) => ({
    FundId,
    Amount: amountOf(index === 0 ? cents - each * (fundIds.length - 1) : each),
  }));
}
