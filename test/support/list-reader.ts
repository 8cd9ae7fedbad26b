import { type Answer, Client, untilAnswered } from './client.js';
import type { Ledger } from './ledger-invariants.js';
import type { Login } from './test-app.js';

/** The fields of a contribution that readers compare. */
export interface ReadView {
  readonly contributionId: number;
  readonly status: string;
  readonly amount: string;
  readonly updatedAt: string;
}

/**
 * A processor's loop over a list, by id or by change: continues from its position, and keeps the latest version of each
 * contribution. Pages come from any of the replicas.
 */
export class ListReader {
  readonly kept = new Map<number, ReadView>();
  /** All received contributions in order. */
  readonly seen: ReadView[] = [];
  pages = 0;

  /** @param query its position: the first query, or `after=…` */
  constructor(
    private readonly urls: readonly string[],
    private readonly login: Login,
    public query: string,
    private readonly limit = 500,
  ) {}

  /** Asks for the next page, and keeps its contributions if the status is 200. @returns the answer of any status. */
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

  /** Reads the next page. @returns whether there is more already. @throws Error for any status but 200 */
  async page(): Promise<boolean> {
    const { status, body } = await this.ask();
    if (status !== 200) throw new Error(`${this.query} was answered with ${status}: ${JSON.stringify(body)}`);
    return body['more'] === true;
  }

  async readOn(): Promise<void> {
    while (await this.page());
  }

  /** A copy of the reader at its current position. */
  copy(): ListReader {
    const copy = new ListReader(this.urls, this.login, this.query, this.limit);
    for (const [id, view] of this.kept) copy.kept.set(id, view);
    return copy;
  }

  /** The kept contributions in the form of {@link booksOf}. */
  get books(): Booked[] {
    return asBooked(this.kept.values());
  }
}

/** A contribution as compared between readers and the database. */
interface Booked {
  readonly id: number;
  readonly status: string;
  readonly amount: string;
}

/** The read contributions in the order of ids. */
export function asBooked(views: Iterable<ReadView>): Booked[] {
  return [...views]
    .sort((a, b) => a.contributionId - b.contributionId)
    .map(({ contributionId: id, status, amount }) => ({ id, status, amount }));
}

/** All contributions of a database in the order of ids. */
export async function booksOf(ledger: Ledger): Promise<Booked[]> {
  return ledger.query<Booked>(
    `SELECT id, CASE status WHEN 0 THEN 'Recorded' ELSE 'Reversed' END AS status, amount FROM contribution ORDER BY id`,
  );
}
