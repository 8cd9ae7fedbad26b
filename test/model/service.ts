import { DateTime } from 'luxon';
import { Client } from '../support/client.js';
import { ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { createTestDatabase } from '../support/test-database.js';
import type { Answer, Seen } from './answers.js';
import { DEPOSIT_FIELDS, DEPOSIT_SOURCE } from './deposit-model.js';
import type { Fund } from './entry.js';
import { NewEntries, type View } from './new-entries.js';
import {
  type AddGift,
  type CorrectPayment,
  type DepositItem,
  type DepositOperation,
  type List,
  type Operation,
  type ReverseGift,
  type ReverseTransaction,
  TREASURER,
  UNKNOWN_ID,
  type User,
} from './operation.js';
import { Staff } from './staff.js';
import { decimal } from './views.js';

const PASSWORD = 'correct horse battery';

/** The real service over HTTP, with its own database. */
export class Service {
  /** The id of the last entry that was read. */
  private lastId = 0;

  private constructor(
    readonly app: TestApp,
    /** The church's time zone. Its day does not end while operations run. */
    readonly timeZone: string,
    readonly funds: readonly [Fund, ...Fund[]],
    private readonly clients: Readonly<Record<User, Client>>,
    private readonly staff: Staff,
  ) {}

  static async start(): Promise<Service> {
    const timeZone = zoneFarFromMidnight();
    const database = await createTestDatabase();
    // Nothing crashes here, so the commits need not wait for the disk.
    await database.query(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET synchronous_commit = off`);
    const app = await startTestApp({ CHURCH_TIME_ZONE: timeZone }, { database });
    const url = await app.app.getUrl();
    const [api, second] = [
      await app.createUser('api', PASSWORD, ROLES),
      await app.createUser('second', PASSWORD, ROLES),
    ];
    const finance = await app.createUser(TREASURER, PASSWORD, ['Finance']);
    await app.database.query(
      `INSERT INTO fund (name, is_open) VALUES ('Missions', true), ('Building', false), ('Youth', true), ('YOUTH', true)`,
    );
    const funds = await app.database.query<Fund>(
      'SELECT id, name, is_open AS open FROM fund ORDER BY NOT is_default, id',
    );
    const [first, ...others] = funds;
    if (first === undefined) throw new Error('There is no fund');
    const clients = {
      api: new Client(url, ...api),
      second: new Client(url, ...second),
      [TREASURER]: new Client(url, ...finance),
    };
    return new Service(app, timeZone, [first, ...others], clients, new Staff(app));
  }

  async stop(): Promise<void> {
    await this.app.stop();
    await this.app.database.drop();
  }

  today(): string {
    return String(DateTime.now().setZone(this.timeZone).toISODate());
  }

  /**
   * Does the operation and reads back what it created. If it is sent twice, there are two answers: first that of the
   * call that had an effect.
   */
  async perform(operation: Operation): Promise<Seen[]> {
    const began = Date.now();
    const twice = 'twice' in operation && operation.twice;
    const answers = await Promise.all((twice ? [operation, operation] : [operation]).map((one) => this.call(one)));
    const ended = Date.now();
    const hadEffect = ({ status, replayed }: Answer): number => Number(status === 200 && !replayed);
    answers.sort((a, b) => hadEffect(b) - hadEffect(a));
    const created = await this.newEntries();
    return answers.map((answer, nth) => ({
      answer,
      created: new NewEntries(nth === 0 ? created : [], began, ended),
    }));
  }

  /** A contribution as Finance reads it. */
  async read(contributionId: number): Promise<Answer> {
    return timeless(await this.answer(this.clients[TREASURER], `/Api/Contributions/${contributionId}`, {}));
  }

  /** A page of the list, as Finance reads it. */
  async list(query: string): Promise<Page> {
    const { status, body } = await this.answer(this.clients[TREASURER], `/Api/Contributions?${query}`, {});
    if (status !== 200) throw new Error(`The list answers ${status}: ${JSON.stringify(body)}`);
    const page = body as unknown as Page;
    return { ...page, contributions: page.contributions.map(withoutUpdate) };
  }

  /** All entries that were added since the last call of this method. */
  private async newEntries(): Promise<View[]> {
    const found = await this.app.database.query<{ id: number }>(
      'SELECT id FROM contribution WHERE id > $1 ORDER BY id',
      [this.lastId],
    );
    this.lastId = found.at(-1)?.id ?? this.lastId;
    return Promise.all(found.map(async ({ id }) => (await this.read(id)).body));
  }

  private async call(operation: Operation): Promise<Answer> {
    switch (operation.kind) {
      case 'add':
        return this.add(operation);
      case 'add batch':
        return this.answer(this.clients[operation.user], '/Api/AddContributions', {
          method: 'POST',
          headers: JSON_BODY,
          body: operation.body,
        });
      case 'reverse':
      case 'reverse transaction':
        return this.answer(this.clients[operation.user], `/Api/${reversalPath(operation)}${operation.query}`, {
          method: 'POST',
          headers: keyHeader(operation),
        });
      case 'reverse as finance':
        return this.correct(operation, 'reverse', {
          ...(operation.cents !== undefined && { Amount: decimal(operation.cents) }),
          ...{ FundId: operation.fundId, Reason: operation.reason, Note: operation.note },
        });
      case 'reinstate':
        return this.correct(operation, 'reinstate', { Note: operation.note });
      case 'move':
        return this.correct(operation, 'move', { FundId: operation.fundId, Reason: operation.note });
      case 'send deposit':
      case 'enter bank':
      case 'adjust deposit':
      case 'reconcile deposit':
        return this.settle(operation);
      case 'list':
        return this.firstPage(operation);
      case 'read giving': {
        const answer = await this.answer(this.clients[TREASURER], `/Api/People/${operation.peopleId}`, {});
        return answer.status === 200 ? { ...answer, body: answer.body['giving'] as Answer['body'] } : answer;
      }
      case 'read':
        return timeless(
          await this.answer(this.clients[operation.user], `/Api/Contributions/${operation.contributionId}`, {}),
        );
      case 'reassign':
        return this.answer(this.clients[TREASURER], `/Api/Contributions/${operation.contributionId}/reassign`, {
          method: 'POST',
          headers: JSON_BODY,
          body: JSON.stringify({ PeopleId: operation.peopleId }),
        });
      case 'accept':
        return this.accept(operation.contributionId);
      case 'merge':
      case 'confirm contact':
      case 'close bundle':
      case 'open or close fund':
      case 'choose default fund':
      case 'let days pass':
        return this.staff.call(operation);
    }
  }

  private add(operation: AddGift): Promise<Answer> {
    return this.answer(
      this.clients[operation.user],
      operation.dryRun ? '/Api/PreviewContribution' : '/Api/AddContribution',
      {
        method: 'POST',
        headers: { ...JSON_BODY, ...keyHeader(operation) },
        body: operation.body,
      },
    );
  }

  /** Reads the ReviewId from the database, because the list is in pages. */
  private async accept(contributionId: number): Promise<Answer> {
    const [review] = await this.app.database.query<{ id: number }>('SELECT id FROM review WHERE contribution_id = $1', [
      contributionId,
    ]);
    return this.answer(this.clients[TREASURER], `/Api/Reviews/${review?.id ?? UNKNOWN_ID}/accept`, { method: 'POST' });
  }

  private correct(
    operation: Extract<CorrectPayment, { user: typeof TREASURER }>,
    what: string,
    body: object,
  ): Promise<Answer> {
    return this.answer(this.clients[TREASURER], `/Api/Contributions/${operation.contributionId}/${what}`, {
      method: 'POST',
      headers: { ...JSON_BODY, ...keyHeader(operation) },
      body: JSON.stringify(body),
    });
  }

  private async settle(operation: DepositOperation): Promise<Answer> {
    const [client, path, body] = this.depositCall(operation);
    const options = { method: 'POST', headers: JSON_BODY, body: JSON.stringify(body) };
    const answer = await this.answer(client, `/Api/Deposits${path}`, options);
    if (answer.status !== 200) return answer;
    return { ...answer, body: Object.fromEntries(DEPOSIT_FIELDS.map((name) => [name, answer.body[name]])) };
  }

  private depositCall(operation: DepositOperation): [client: Client, path: string, body: object | undefined] {
    const finance = this.clients[TREASURER];
    switch (operation.kind) {
      case 'send deposit': {
        const { user, depositId: DepositId, cents, items } = operation;
        const amount = cents === null ? {} : { Amount: decimal(cents) };
        const named = items.length === 0 ? {} : { Items: items.map(itemSent) };
        const sent = { DepositId, Source: DEPOSIT_SOURCE, Date: this.today(), ...amount, ...named };
        return [this.clients[user], '', sent];
      }
      case 'enter bank':
        return [finance, `/${operation.depositId}/bank`, { Date: this.today(), Amount: decimal(operation.cents) }];
      case 'adjust deposit':
        return [finance, `/${operation.depositId}/adjust`, { Amount: decimal(operation.cents), Reason: 'Adjusted' }];
      case 'reconcile deposit':
        return [finance, `/${operation.depositId}/reconcile`, {}];
    }
  }

  private async firstPage({ user, filter, limit }: List): Promise<Answer> {
    const amounts = ['amount', 'minAmount', 'maxAmount'];
    const query = Object.entries(filter).map(
      ([name, value]) => [name, amounts.includes(name) ? decimal(Number(value)) : String(value)] as [string, string],
    );
    const path = `/Api/Contributions?${new URLSearchParams([...query, ['limit', String(limit)]]).toString()}`;
    const answer = await this.answer(this.clients[user], path, {});
    if (answer.status !== 200) return answer;
    const { contributions, more } = answer.body as unknown as Page;
    return { ...answer, body: { contributions: contributions.map(withoutUpdate), more } };
  }

  private async answer(client: Client, path: string, options: Parameters<Client['request']>[1]): Promise<Answer> {
    const { status, headers, body } = await client.request(path, options);
    return { status, replayed: headers.get('Idempotency-Replayed') === 'true', body };
  }
}

/** A page of the list of contributions. */
export interface Page {
  readonly contributions: readonly View[];
  readonly next: string;
  readonly more: boolean;
}

function itemSent({ isReversal, contributionId, feeCents }: DepositItem): object {
  const name = isReversal ? { ReversalOf: contributionId } : { ContributionId: contributionId };
  return feeCents === undefined ? name : { ...name, Fee: decimal(feeCents) };
}

/**
 * Removes the time of the last change, which only the database knows, after a check that it is plausible; and the deposit, which
 * changes without it. The rows of deposits are compared instead.
 */
function withoutUpdate({ updatedAt, ...view }: View): View {
  if (!(Date.parse(String(updatedAt)) >= Date.parse(String(view['createdAt'])) - 1)) {
    throw new Error(`Contribution ${String(view['contributionId'])} was changed before it was made`);
  }
  const payment = Object.entries(view['payment'] as View).filter(([name]) => name !== 'deposit');
  return { ...view, payment: Object.fromEntries(payment) };
}

function timeless(answer: Answer): Answer {
  return answer.status === 200 ? { ...answer, body: withoutUpdate(answer.body) } : answer;
}

const JSON_BODY = { 'Content-Type': 'application/json' };

function keyHeader({ key, quoted }: AddGift | CorrectPayment): Record<string, string> {
  return key === undefined ? {} : { 'Idempotency-Key': quoted ? `"${key}"` : key };
}

function reversalPath(operation: ReverseGift | ReverseTransaction): string {
  const source = encodeURIComponent(operation.source);
  return operation.kind === 'reverse'
    ? `ReverseContribution/${operation.contributionId}/${source}`
    : `Transactions/${source}/${encodeURIComponent(operation.transactionId)}/reverse`;
}

/** A time zone where it is between 2:00 and 20:00, so that a run takes place on one day. */
function zoneFarFromMidnight(): string {
  const { hour } = DateTime.now().setZone('America/Chicago');
  return hour >= 2 && hour < 20 ? 'America/Chicago' : 'Asia/Kolkata';
}
