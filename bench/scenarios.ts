import type { Pool } from 'pg';
import { PASSWORD, USER } from './databases.js';
import { addGifts, FIRST_NUMBER } from './fill.js';
import type { Call } from './load.js';

export const SCENARIOS = [
  'existing giver',
  'new giver',
  'by PeopleId',
  'gift with an id',
  'split gift',
  'reversal',
  'partial reversal',
  'replay',
  'bad request',
  'wrong password',
] as const;

export type ScenarioName = (typeof SCENARIOS)[number];

/**
 * Scenarios that the hand-written program does not have: it validates nothing, checks no passwords, and knows single gifts
 * and whole reversals only.
 */
export const SERVICE_ONLY: readonly ScenarioName[] = [
  'gift with an id',
  'split gift',
  'partial reversal',
  'bad request',
  'wrong password',
];

/** The gifts of a batch: as many as a call can have. */
export const GIFTS_PER_BATCH = 100;

/** The allowed statuses of each scenario. A 503 is the intended answer if too many password checks wait. */
export const EXPECTED: Readonly<Record<ScenarioName, readonly number[]>> = {
  'existing giver': [200],
  'new giver': [200],
  'by PeopleId': [200],
  'gift with an id': [200],
  'split gift': [200],
  reversal: [200],
  'partial reversal': [200],
  replay: [200],
  'bad request': [400],
  'wrong password': [401, 503],
};

const REPLAYED_KEYS = 100;
const HEADERS = Object.freeze({ 'content-type': 'application/json', authorization: basic(PASSWORD) });

/** Makes the calls of all scenarios for one filled database. All gifts differ: equal ones would need a review. */
export class Calls {
  /** Higher than in earlier runs of the same day, whose gifts may be in the same database. */
  private serial = (Math.floor(Date.now() / 1_000) % 86_400) * 5_000;
  /** Part of names and keys, unique for each run. */
  private readonly mark = Date.now().toString(36);
  /** Gifts that can still be reversed. */
  private readonly reversible: number[] = [];
  /** The gifts with keys that each target has recorded. */
  private readonly replayed = new Map<string, readonly Call[]>();

  constructor(
    private readonly pool: Pool,
    private readonly people: number,
  ) {}

  /**
   * Prepares what the scenario needs for this target.
   * @param most the maximum of calls
   * @returns a function that makes the next call
   */
  async prepare(scenario: ScenarioName, url: string, most: number): Promise<() => Call> {
    switch (scenario) {
      case 'existing giver':
        return () => this.gift(this.knownGiver());
      case 'new giver':
        return () => this.gift(this.newGiver());
      case 'by PeopleId':
        return () => this.gift({ ...this.knownGiver(), PeopleId: this.person() });
      case 'gift with an id':
        return () => this.gift({ ...this.knownGiver(), TransactionId: this.newId() });
      case 'split gift':
        return () => this.splitGift();
      case 'reversal':
        return await this.reversals(most, '');
      case 'partial reversal':
        return await this.reversals(most, '?amount=5&reason=refund');
      case 'replay':
        return await this.replays(url);
      case 'bad request':
        return () => this.gift({ ...this.knownGiver(), Amount: 'ten dollars', Date: 'yesterday' });
      case 'wrong password':
        return () => this.wrongPassword(USER);
    }
  }

  /** A gift with a different wrong password each time. */
  wrongPassword(username: string): Call {
    const call = this.gift(this.knownGiver());
    return { ...call, headers: { ...HEADERS, authorization: basic(`a guess, ${this.serial}`, username) } };
  }

  /** A new number. */
  next(): number {
    return ++this.serial;
  }

  /** A gift with a unique amount. `fields` and `headers` are added to it. */
  gift(fields: object, headers: Readonly<Record<string, string>> = {}): Call {
    const body = JSON.stringify({ Amount: amount(this.next()), Source: 'bench', ...fields });
    return { path: '/Api/AddContribution', headers: { ...HEADERS, ...headers }, body };
  }

  /** An id that no other gift has. */
  private newId(): string {
    return `${this.mark} ${this.next()}`;
  }

  /** A gift to the default fund in two parts. */
  private splitGift(): Call {
    const whole = centsOf(this.next());
    const Splits = [{ Amount: inDollars(whole - 100) }, { Amount: '1.00', Notes: 'second' }];
    return this.gift({ ...this.knownGiver(), Amount: inDollars(whole), Splits });
  }

  /** A batch of gifts of known givers. */
  batch(): Call {
    const gifts = Array.from({ length: GIFTS_PER_BATCH }, () => ({
      ...this.knownGiver(),
      ...{ Amount: amount(this.next()), Source: 'bench', TransactionId: this.newId() },
    }));
    return { path: '/Api/AddContributions', headers: HEADERS, body: JSON.stringify({ Gifts: gifts }) };
  }

  /** The next person. Ids are numbers from 1, and this visits all of them in steps. */
  private person(): number {
    return 1 + ((this.serial * 7_919) % this.people);
  }

  /** The details of a person, by default the next one. */
  knownGiver(person = this.person()): object {
    const number = FIRST_NUMBER + person;
    return {
      First: 'Robert',
      Last: `Lastname${number}`,
      Email: `giver${number}@example.org`,
      Phone: `+1615${number}`,
    };
  }

  private newGiver(): object {
    const name = `${this.mark}${this.serial}`;
    // Unique numbers with another area code than those of the filled people.
    const phone = `+1901${String(2_000_000 + (this.serial % 7_900_000))}`;
    return { First: 'Robert', Last: `Newname${name}`, Email: `new${name}@example.org`, Phone: phone };
  }

  private async reversals(most: number, query: string): Promise<() => Call> {
    const missing = most - this.reversible.length;
    if (missing > 0) {
      const cents = centsOf(this.serial + 1);
      this.serial += missing;
      this.reversible.push(...(await addGifts(this.pool, missing, this.people, cents)));
    }
    return () => {
      const id = this.reversible.pop();
      if (id === undefined) throw new Error(`More than ${most} reversals: prepare more gifts`);
      return { path: `/Api/ReverseContribution/${id}/bench${query}`, headers: HEADERS, body: '' };
    };
  }

  /** Gifts with keys that this target has already answered. There are enough that no two running calls are equal. */
  private async replays(url: string): Promise<() => Call> {
    let calls = this.replayed.get(url);
    if (calls === undefined) {
      calls = Array.from({ length: REPLAYED_KEYS }, () => {
        const key = `${this.mark} ${this.next()}`;
        return this.gift(this.knownGiver(), { 'idempotency-key': key });
      });
      await Promise.all(calls.map((call) => send(url, call, EXPECTED.replay)));
      this.replayed.set(url, calls);
    }
    return inTurn(calls);
  }
}

/** Returns the calls in sequence, again and again. */
function inTurn(calls: readonly Call[]): () => Call {
  let turn = 0;
  return () => {
    const call = calls[turn++ % calls.length];
    if (call === undefined) throw new Error('There is no call to make');
    return call;
  };
}

/** Makes one call. @throws Error if its status is not expected. */
export async function send(url: string, call: Call, expected: readonly number[]): Promise<Record<string, unknown>> {
  const { path, headers, body } = call;
  const response = await fetch(url + path, { method: 'POST', headers, ...(body !== '' && { body }) });
  const answer = await response.text();
  if (!expected.includes(response.status)) throw new Error(`${path} was answered with ${response.status}: ${answer}`);
  return JSON.parse(answer) as Record<string, unknown>;
}

function basic(password: string, username: string = USER): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** Ten dollars and one more cent for each number. */
function centsOf(serial: number): number {
  return 1_000 + serial;
}

function amount(serial: number): string {
  return inDollars(centsOf(serial));
}

function inDollars(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}
