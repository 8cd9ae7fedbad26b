import { randomUUID } from 'node:crypto';
import { RawConnection, type RawAnswer } from '../support/raw-http.js';
import type { Login } from '../support/test-app.js';
import type { TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { assertOwnId, Fault, must, readAnswer } from './answers.js';
import { assertBooked, assertWhole, type Books, countRows } from './books.js';
import { meaningOf } from './meaning.js';
import { OwnCalls } from './own-calls.js';
import { encode, type Input, type Request, requestOf } from './request.js';

/** A service to be fuzzed, with empty books. */
export interface FuzzedService {
  readonly port: number;
  /** A user with the three roles. */
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
    const books = await countRows(service.database);
    if (gift !== 1 || books.person !== 1 || books.contribution !== 2) throw new Error('The database was not empty');
    return new Fuzzer(service, own, books);
  }

  /** Makes the call and checks its result. @throws Fault */
  async try(input: Input): Promise<void> {
    count(this.kinds, input.change.kind);
    const gift = 'source' in input.call ? await this.takeGift() : 0;
    const fill = { gift, credentials: this.credentials, unique: randomUUID() };
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
    if (gift !== 0 && answer?.status !== 200 && answer !== undefined) this.stock.push(gift);
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
    assertBooked(before, this.books, { shape, body, replayed, keyed });
    if (change.wire === undefined) assertOwnId(answer, request.headers);
    must(change.statuses?.includes(answer.status) ?? true, `the status is not ${change.statuses?.join(' or ') ?? ''}`);
    if (shape === 'gift') await this.assertStored(Number(body['ContributionId']), request.body);
    if (shape === 'reversal') await this.assertReversed(Number(body['contributionId']), String(body['source']));
    if (shape === 'gift' && !replayed) this.stock.push(Number(body['ContributionId']));
    if (change.kind === 'query: a dry run') must(shape === 'dry run', 'a dry run was requested');
    else must(shape !== 'dry run' || /dryrun/i.test(decoded(request.target)), 'no dry run was requested');
  }

  /** Makes the second of two equal calls under one key and checks its answer. */
  private async repeat(bytes: Buffer, request: Request, input: Input, earlier: RawAnswer | undefined): Promise<void> {
    const answer = await this.exchange(bytes, request, input);
    must(answer !== undefined && answer.text === earlier?.text, 'the second answer is not the first one');
    must(answer.headers.get('idempotency-replayed') === 'true', 'the second answer is not marked as replayed');
    const books = await countRows(this.service.database);
    must(JSON.stringify(books) === JSON.stringify(this.books), 'the second call changed the books');
  }

  private async assertStored(contributionId: number, sent: Buffer): Promise<void> {
    const expected = meaningOf(sent);
    const view = await this.own.read(contributionId);
    const stored: Record<string, unknown> = { ...view, ...(view['giver'] as object) };
    for (const [name, value] of Object.entries(expected)) {
      must(stored[name] === value, `${name} should be ${String(value)} and is ${String(stored[name])}`);
    }
  }

  private async assertReversed(contributionId: number, reported: string): Promise<void> {
    const view = await this.own.read(contributionId);
    const { source } = (view['reversal'] ?? {}) as { source?: string };
    const reversed = view['status'] === 'Reversed' && reported === `API Reverse (source=${source ?? ''})`;
    must(reversed, 'the gift is not reversed by that source');
  }

  private async takeGift(): Promise<number> {
    const gift = this.stock.pop() ?? (await this.own.addGift());
    this.books = await countRows(this.service.database);
    return gift;
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
    `  change:  ${change.kind}, of a ${'source' in call ? 'reversal' : 'gift'}`,
    `  request: ${short(JSON.stringify(bytes.toString('latin1')))}`,
    `  answer:  ${answer === undefined ? 'none' : `${answer.status} ${short(answer.text)}`}`,
  ].join('\n');
}
