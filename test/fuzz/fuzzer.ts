import { randomUUID } from 'node:crypto';
import { RawConnection, type RawAnswer } from '../support/raw-http.js';
import type { Login } from '../support/test-app.js';
import type { TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { assertOwnId, type Body, Fault, must, readAnswer, resultsOf, type Shape } from './answers.js';
import { assertBooked, assertWhole, type Books, countRows } from './books.js';
import { amountToTakeBack, assertDeposit, bodyOf, giftsOf, meaningOf } from './meaning.js';
import { OwnCalls } from './own-calls.js';
import { type Call, encode, type Input, type Request, requestOf } from './request.js';

/** A service to be fuzzed, with empty books. */
export interface FuzzedService {
  readonly port: number;
  /** A user with all four roles. */
  readonly login: Login;
  readonly database: TestDatabase;
}

/** How long to wait for a service that may be waiting for the rest of a request. */
const SILENCE_MS = 250;

/** Makes calls to a service in sequence, and checks each answer and the changes of the books. */
export class Fuzzer {
  /** The number of answers with each status and code. */
  readonly answers = new Map<string, number>();
  /** The number of inputs with each kind of change. */
  readonly kinds = new Map<string, number>();
  private readonly connection: RawConnection;
  private readonly credentials: string;
  /** Gifts that are not reversed. */
  private readonly stock: number[] = [];
  /** The id of the last contribution before the call. */
  private lastId = 0;

  private constructor(
    private readonly service: FuzzedService,
    private readonly own: OwnCalls,
    private books: Books,
  ) {
    this.connection = new RawConnection(service.port);
    this.credentials = Buffer.from(service.login.join(':')).toString('base64');
  }

  /** Adds what the inputs refer to: contribution 1 of person 1, and contribution 2, which reverses it. */
  static async start(service: FuzzedService): Promise<Fuzzer> {
    const own = new OwnCalls(service);
    const gift = await own.addGift();
    await own.reverse(gift);
    await service.database.query(`INSERT INTO fund (name) VALUES ('Missions')`);
    const books = await countRows(service.database);
    if (gift !== 1 || books.person !== 1 || books.contribution !== 2) throw new Error('The database was not empty');
    return new Fuzzer(service, own, books);
  }

  /** Makes the call and checks its result. @throws Fault */
  async try(input: Input): Promise<void> {
    count(this.kinds, input.change.kind);
    const unique = randomUUID();
    const gift = await this.giftFor(input.call, unique);
    this.books = await countRows(this.service.database);
    this.lastId = await this.maxId();
    const fill = { gift, credentials: this.credentials, unique };
    const request = requestOf(input, fill);
    const plain = encode(request, fill);
    const bytes = input.change.wire?.(plain) ?? plain;
    let answer: RawAnswer | undefined;
    try {
      answer = await this.exchange(bytes, request, input);
      await this.check(answer, request, input);
      if (input.change.twice) await this.repeat(bytes, request, input, answer);
    } catch (error) {
      this.books = await countRows(this.service.database);
      throw new Fault(`${(error as Error).message}\n${describe(input, bytes, answer)}`, { cause: error });
    }
    const isUntouched = answer !== undefined && answer.status !== 200;
    if (input.call.kind === 'reversal' && isUntouched) this.stock.push(gift);
  }

  close(): void {
    this.connection.close();
    this.own.close();
  }

  private exchange(bytes: Buffer, request: Request, { change }: Input): Promise<RawAnswer | undefined> {
    return this.connection.exchange(bytes, {
      headOnly: request.method === 'HEAD',
      ...(change.wire && { last: true }),
      ...(change.wire && change.statuses === undefined && { endAfter: SILENCE_MS }),
    });
  }

  private async check(answer: RawAnswer | undefined, request: Request, { change }: Input): Promise<void> {
    const before = this.books;
    if (answer === undefined) {
      must(change.wire !== undefined && change.statuses === undefined, 'the connection was closed without an answer');
      await this.settle();
      this.books = await countRows(this.service.database);
      assertWhole(before, this.books);
      count(this.answers, 'connection closed');
      return;
    }
    this.books = await countRows(this.service.database);
    const { shape, body } = readAnswer(answer, request.method === 'HEAD');
    count(this.answers, [answer.status, shape === 'problem' ? body['code'] : shape].join(' '));
    const replayed = answer.headers.get('idempotency-replayed') === 'true';
    const keyed = change.wire ? undefined : request.headers.some(([name]) => /^idempotency-key$/i.test(name));
    const gifts = replayed ? [] : this.newGifts(shape, body);
    const entries =
      'contributionIds' in body ? (body['contributionIds'] as unknown[]).length : await this.entriesOf(gifts);
    const items = shape === 'deposit' ? Number(body['itemCount']) : 0;
    assertBooked(before, this.books, { shape, replayed, gifts, entries, items, keyed });
    if (shape === 'deposit' && change.wire === undefined) assertDeposit(body, bodyOf(request.body));
    if (change.wire === undefined) assertOwnId(answer, request.headers);
    must(change.statuses?.includes(answer.status) ?? true, `the status is not ${change.statuses?.join(' or ') ?? ''}`);
    if (shape === 'gift') await this.assertStored(body, bodyOf(request.body));
    if (shape === 'batch' && change.wire === undefined) await this.assertBatchStored(body, giftsOf(request.body));
    if (shape === 'reversal' && !replayed) await this.assertReversed(body, request);
    for (const one of gifts) this.stock.push(Number(one['ContributionId']));
    if (change.kind === 'query: a dry run') must(shape === 'dry run', 'a dry run was requested');
    else must(shape !== 'dry run' || /dryrun/i.test(decoded(request.target)), 'no dry run was requested');
  }

  /** Makes the second of two equal calls under one key and checks its answer. */
  private async repeat(bytes: Buffer, request: Request, input: Input, earlier: RawAnswer | undefined): Promise<void> {
    const answer = await this.exchange(bytes, request, input);
    must(answer !== undefined && answer.text === earlier?.text, 'the second answer is not the first one');
    const isMarked = answer.headers.get('idempotency-replayed') === 'true';
    must(isMarked === (input.call.kind !== 'batch'), 'the second answer is not marked as replayed');
    const books = await countRows(this.service.database);
    must(JSON.stringify(books) === JSON.stringify(this.books), 'the second call changed the books');
  }

  private async assertBatchStored(answer: Body, sent: readonly Body[]): Promise<void> {
    const results = resultsOf(answer);
    must(results.length === sent.length, 'a batch has a result for each gift');
    for (const { Index, Answer } of results) {
      if (Answer !== undefined) await this.assertStored(Answer, sent[Index] ?? {});
    }
  }

  private async assertStored(answer: Body, sent: Body): Promise<void> {
    const view = await this.own.read(Number(answer['ContributionId']));
    const { payment, giver } = view as { payment: { amount: string; parts: number[] }; giver: object };
    const stored: Body = {
      ...view,
      ...giver,
      ...payment,
      amount: view['amount'],
      paid: payment.amount,
      parts: payment.parts.length,
    };
    for (const [name, value] of Object.entries(meaningOf(sent))) {
      must(stored[name] === value, `${name} should be ${String(value)} and is ${String(stored[name])}`);
    }
  }

  /** Checks who reversed, and how much: all that was left, or exactly the amount that the call names. */
  private async assertReversed({ contributionId, source }: Body, { target, body }: Request): Promise<void> {
    const [last] = await this.service.database.query<LastReversal>(SELECT_LAST_REVERSAL, [contributionId]);
    must(last !== undefined, 'nothing is reversed');
    must(
      source === (last.source === null ? 'Finance' : `API Reverse (source=${last.source})`),
      'another source reversed',
    );
    const sent = last.source === null ? bodyOf(body) : queryOf(target);
    const ofFund = Object.keys(sent).some((name) => /^fundid$/i.test(name));
    const amount = amountToTakeBack(sent);
    if (amount !== undefined) must(last.taken === amount, `${last.taken} was taken back instead of ${amount}`);
    else must(ofFund || last.left === '0.00', `${last.left} is left although all was to be taken back`);
  }

  /** The answers to the gifts that the call recorded. In a batch, that to a repeated gift is not marked. */
  private newGifts(shape: Shape, body: Body): Body[] {
    if (shape === 'gift') return [body];
    if (shape !== 'batch') return [];
    const answers = resultsOf(body).flatMap(({ Answer }) => (Answer === undefined ? [] : [Answer]));
    const recorded = new Map(answers.map((answer) => [Number(answer['ContributionId']), answer]));
    return [...recorded].filter(([id]) => id > this.lastId).map(([, answer]) => answer);
  }

  /** The number of parts of these gifts. */
  private async entriesOf(gifts: readonly Body[]): Promise<number> {
    let count = 0;
    for (const { ContributionId } of gifts) {
      const { payment } = await this.own.read(Number(ContributionId));
      count += (payment as { parts: number[] }).parts.length;
    }
    return count;
  }

  /** The gift that the call needs: for Finance one of which all is known, and a reversed one for a reinstatement. */
  private async giftFor(call: Call, unique: string): Promise<number> {
    switch (call.kind) {
      case 'gift':
      case 'batch':
      case 'deposit':
        return 0;
      case 'reversal':
        return this.stock.pop() ?? (await this.own.addGift());
      case 'reversal of a transaction':
        return this.own.addGift({ Source: call.source, TransactionId: unique });
      case 'correction': {
        const gift = await this.own.addGift();
        if (call.what === 'reinstate') await this.own.reverse(gift);
        return gift;
      }
    }
  }

  private async maxId(): Promise<number> {
    const [row] = await this.service.database.query<{ id: number }>('SELECT max(id) AS id FROM contribution');
    return row?.id ?? 0;
  }

  /** Waits until the database is idle after a call that got no answer. */
  private async settle(): Promise<void> {
    const busy = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'offertory' AND state <> 'idle'`;
    let quiet = 0;
    await until(async () => {
      quiet = (await this.service.database.query(busy)).length === 0 ? quiet + 1 : 0;
      return quiet >= 2;
    });
  }
}

interface LastReversal {
  readonly source: string | null;
  /** Decimal text. */
  readonly taken: string;
  /** Of the payment, decimal text. */
  readonly left: string;
}

/** The last reversal of the payment of $1. */
const SELECT_LAST_REVERSAL = `
  WITH entry AS (
    SELECT * FROM contribution WHERE payment_id = (SELECT payment_id FROM contribution WHERE id = $1)
  ), last AS (SELECT max(reversal_id) AS id FROM entry)
  SELECT min(source) AS source, (-sum(amount))::text AS taken, (SELECT sum(amount)::text FROM entry) AS left
  FROM entry WHERE reversal_id = (SELECT id FROM last) HAVING count(*) > 0`;

/** The parameters of a target by their names. */
function queryOf(target: string): Body {
  const [, query = ''] = /\?([^#]*)/.exec(target) ?? [];
  return Object.fromEntries(new URLSearchParams(query));
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

/** Request and answer as texts that show every byte, shortened in the middle. */
function describe({ change, call }: Input, bytes: Buffer, answer: RawAnswer | undefined): string {
  const short = (text: string): string =>
    text.length > 3_000 ? `${text.slice(0, 2_000)} … ${text.length - 3_000} more … ${text.slice(-1_000)}` : text;
  return [
    `  change:  ${change.kind}, of a ${call.kind === 'correction' ? call.what : call.kind}`,
    `  request: ${short(JSON.stringify(bytes.toString('latin1')))}`,
    `  answer:  ${answer === undefined ? 'none' : `${answer.status} ${short(answer.text)}`}`,
  ].join('\n');
}
