import type { Login, TestApp } from '../support/test-app.js';

/** A review as Finance sees it. */
export interface Review {
  readonly reviewId: number;
  readonly contributionId: number;
  readonly peopleId: number;
  readonly reasons: readonly string[];
  readonly otherMatches: readonly number[];
  readonly otherPersons: readonly number[];
  readonly otherGifts: readonly number[];
  readonly createdAt: string;
}

/** The open review of a gift. @throws if it has none. */
export async function openReview(app: TestApp, finance: Login, contributionId: number): Promise<Review> {
  for (let after = 0; ;) {
    const answer = await app.get(`Reviews?after=${after}`, finance).expect(200);
    const page = (answer.body as { reviews: Review[] }).reviews;
    const found = page.find((review) => review.contributionId === contributionId);
    if (found !== undefined) return found;
    after = page.at(-1)?.reviewId ?? 0;
    if (after === 0) throw new Error(`No open review of contribution ${contributionId}`);
  }
}

/** The reasons for which a gift is or was listed. */
export async function listedReasons(app: TestApp, contributionId: number): Promise<string[]> {
  const rows = await app.database.query<{ reasons: string[] }>(
    'SELECT reasons FROM review WHERE contribution_id = $1',
    [contributionId],
  );
  return rows.flatMap(({ reasons }) => reasons);
}
