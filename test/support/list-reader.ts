import { type Answer, Client, untilAnswered } from './client.js';
import type { Ledger } from './ledger-invariants.js';
import type { Login } from './test-app.js';

/** A contribution, as far as readers compare it. */
export interface ReadView {
  readonly contributionId: number;
  readonly status: string;
  readonly amount: string;
  readonly updatedAt: string;
}

/**
 * A processor's loop over a list, by id or by change: goes on from where it was, and keeps the last of each contribution.
 * A page comes from any of the replicas.
 */
export class ListReader {
  readonly kept = new Map<number, ReadView>();
  /** All that was shown, in its order. */
  readonly seen: ReadView[] = [];
  pages = 0;

  /** @param query where it is: the first query, or `after=…` */
  constructor(
    private readonly urls: readonly string[],
    private readonly login: Login,
    public query: string,
    private readonly limit = 500,
  ) {}

  /** The answer for the next page, whatever it is; one of 200 is kept. */
  async ask(): Promise<Answer> {
    const answer = await untilAnswered((attempt) => {
      const url = this.urls[(this.pages + attempt) % this.urls.length] ?? '';
      return new Client(url, ...this.login).request(`/Api/Contributions?${this.query}&limit=${this.limit}`, {});
    });
    if (answer.status !== 200) return answer;
    const { contributions, next } = answer.body as { contributions: ReadView[]; next: string };
    for (const view of contributions) this.kept.set(view.contributionId, view);
    this.seen.push(...contributions);
    this.pages++;
    this.query = `after=${next}`;
    return answer;
  }

  /** The next page. @returns whether there is more already. @throws Error for any answer but 200 */
  async page(): Promise<boolean> {
    const { status, body } = await this.ask();
    if (status !== 200) throw new Error(`${this.query} was answered with ${status}: ${JSON.stringify(body)}`);
    return body['more'] === true;
  }

  async readOn(): Promise<void> {
    while (await this.page());
  }

  /** The reader as it is now, to go on from here later. */
  copy(): ListReader {
    const copy = new ListReader(this.urls, this.login, this.query, this.limit);
    for (const [id, view] of this.kept) copy.kept.set(id, view);
    return copy;
  }

  /** What it has, as {@link booksOf} shows it. */
  get books(): Booked[] {
    return asBooked(this.kept.values());
  }
}

/** What is compared of a contribution. */
interface Booked {
  readonly id: number;
  readonly status: string;
  readonly amount: string;
}

/** What was read, in the order of ids. */
export function asBooked(views: Iterable<ReadView>): Booked[] {
  return [...views]
    .sort((a, b) => a.contributionId - b.contributionId)
    .map(({ contributionId: id, status, amount }) => ({ id, status, amount }));
}

/** All contributions that a database has, in the order of their ids. */
export async function booksOf(ledger: Ledger): Promise<Booked[]> {
  return ledger.query<Booked>(
    `SELECT id, CASE status WHEN 0 THEN 'Recorded' ELSE 'Reversed' END AS status, amount FROM contribution ORDER BY id`,
  );
}
