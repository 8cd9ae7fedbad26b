import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, Client, untilAnswered } from './client.js';
import type { Ledger } from './ledger-invariants.js';
import { Tally } from './tally.js';
import { gift, type Login } from './test-app.js';
import { until } from './until.js';

/** The options of a load. */
export interface LoadOptions {
  /** Marks its gifts; unique among the loads on a ledger. */
  readonly name: string;
  readonly login: Login;
  /** The URLs of the replicas. A repeated call goes to the next one, as behind a load balancer. */
  readonly urls: readonly string[];
  readonly clients: number;
  /** Counts the answers; several loads may share one. */
  readonly tally?: Tally;
  /** How long a processor waits after each turn, in milliseconds. */
  readonly pause?: number;
  /** Whether calls without an answer and 503s are not repeated. */
  readonly neverRepeats?: boolean;
  /** How the processor with this index reaches a url. By default all share their connections. */
  readonly connect?: (url: string, login: Login, index: number) => Client;
}

/**
 * Makes a call, and repeats it if it gets no answer or a 503, unless the load never repeats. Only calls that are safe to repeat may be
 * made.
 */
export type RepeatedCall = (make: (client: Client) => Promise<Answer>) => Promise<Answer>;

/**
 * Processors that make calls, each one call after the other, until they are stopped. A call is repeated if it gets no
 * answer or a 503, so they know at the end what the books must contain.
 */
export abstract class Processors {
  readonly tally: Tally;
  /** The most attempts that a call has needed. */
  attempts = 0;
  private readonly lastSuccess: number[];
  private stopping = false;
  private readonly done: Promise<unknown>;

  constructor(protected readonly options: LoadOptions) {
    this.tally = options.tally ?? new Tally();
    const indices = Array.from({ length: options.clients }, (_, index) => index);
    this.lastSuccess = indices.map(() => 0);
    // Not before the fields of the derived class are initialized.
    this.done = Promise.resolve().then(() => Promise.all(indices.map((index) => this.work(index))));
    // Failures are reported by stop().
    this.done.catch(() => undefined);
  }

  /** The calls of a processor that belong together. @param count 1 for the first turn of this processor. */
  protected abstract turn(call: RepeatedCall, index: number, count: number): Promise<void>;

  /** Waits until every processor has finished its current turn. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.done;
  }

  /** Waits for this many more successful calls. */
  async succeed(calls: number, milliseconds = 60_000): Promise<void> {
    const enough = this.tally.count(200) + calls;
    await until(() => this.tally.count(200) >= enough, milliseconds);
  }

  /** Waits until every processor has succeeded again. @returns how long that took, in milliseconds. */
  async recover(milliseconds: number): Promise<number> {
    const begin = performance.now();
    await until(() => this.lastSuccess.every((time) => time > begin), milliseconds);
    return Math.max(...this.lastSuccess.map((time) => time - begin));
  }

  private async work(index: number): Promise<void> {
    const { login, urls, pause, neverRepeats = false, connect = connectShared } = this.options;
    const clients = urls.map((url) => connect(url, login, index));
    const call: RepeatedCall = async (make) => {
      const attemptIt = async (attempt: number): Promise<Answer> => {
        const client = clients[(index + attempt) % clients.length];
        if (client === undefined) throw new Error('A load needs a url');
        this.attempts = Math.max(this.attempts, attempt + 1);
        return this.tally.note(await make(client));
      };
      const answer = neverRepeats ? await attemptIt(0) : await untilAnswered(attemptIt);
      if (answer.status === 200) this.lastSuccess[index] = performance.now();
      return answer;
    };
    for (let count = 1; !this.stopping; count++) {
      await this.turn(call, index, count);
      if (pause !== undefined) await sleep(pause);
    }
  }
}

const connectShared = (url: string, login: Login): Client => new Client(url, ...login);

/** A gift that was answered with 200. */
interface RecordedGift {
  readonly id: number;
  readonly amount: string;
}

/** Processors that add gifts, each with its own key, and reverse every third one. */
export class Load extends Processors {
  /** The recorded gifts by key. */
  readonly gifts = new Map<string, RecordedGift>();
  /** The ids of gifts whose reversal was answered with 200. */
  readonly reversals = new Set<number>();

  /** @throws Error that names gifts that are not in the books exactly once as sent. */
  async assertBooked(ledger: Ledger): Promise<void> {
    const rows = await ledger.query<{ id: number; amount: string; status: number }>(
      'SELECT id, amount, status FROM contribution WHERE source = $1 AND reverses_id IS NULL ORDER BY id',
      [this.options.name],
    );
    assertSame(
      rows.map(({ id, amount, status }) => `${id} of ${amount}, ${status === 1 ? 'reversed' : 'recorded'}`),
      [...this.gifts.values()]
        .sort((a, b) => a.id - b.id)
        .map(({ id, amount }) => `${id} of ${amount}, ${this.reversals.has(id) ? 'reversed' : 'recorded'}`),
    );
  }

  protected async turn(call: RepeatedCall, index: number, count: number): Promise<void> {
    const { name } = this.options;
    const key = `${name} ${index} ${count}`;
    const amount = `${count}.${String(index + 10)}`;
    // Every fourth gift is of a new giver, the others of givers that several clients share.
    const giver = count % 4 === 1 ? `${name}${index}n${count}` : `${name}${index % 3}`;
    const fields = gift(giver, { Phone: 'n/a', Amount: amount, Source: name });
    const added = await call((client) => client.add(fields, key));
    if (added.status !== 200) return;
    const id = Number(added.body['ContributionId']);
    this.gifts.set(key, { id, amount });
    if (count % 3 !== 0) return;
    const reversed = await call((client) => client.reverse(id, name, key));
    if (reversed.status === 200) this.reversals.add(id);
  }
}

/**
 * Compares lines about what is in the books with those about what was answered with 200.
 * @throws Error that names lines that are only in one of them, or are in one of them more often.
 */
export function assertSame(booked: readonly string[], answered: readonly string[]): void {
  const more = without(booked, answered);
  const less = without(answered, booked);
  if (more.length > 0 || less.length > 0 || booked.length !== answered.length)
    throw new Error(
      `${booked.length} in the books for ${answered.length} answers. Only in the books: ${more.join('; ')}. ` +
        `Not in the books: ${less.join('; ')}`,
    );
}

/** The first lines that the others do not have. */
function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others);
  return lines.filter((line) => !known.has(line)).slice(0, 20);
}
