import { inspect } from 'node:util';
import { assertLedgerInvariants, readReconciledDeposits } from '../support/ledger-invariants.js';
import { agrees, type Answer, answerOf, resultsOf, sameText, type Seen } from './answers.js';
import { ChangeReader } from './change-reader.js';
import { differences } from './end-state.js';
import { Generator } from './generator.js';
import { Model } from './model.js';
import type { View } from './new-entries.js';
import type { Operation } from './operation.js';
import { leftOfPayment, partsOf } from './payment-model.js';
import { Service } from './service.js';
import { viewOf } from './views.js';

/** The whole database is compared after this many operations, and at the end. */
const OPERATIONS_BETWEEN_COMPARISONS = 100;

/** The number of operations with each outcome. */
export type Outcomes = ReadonlyMap<string, number>;

/**
 * Does this many operations of a seed on a new service and on the model. With `closely`, the database is compared after
 * each of the last hundred operations, to find the operation after which it differs.
 * @throws Error that names the first operation after which they differ, and the command that repeats it.
 */
export async function runSeed(seed: number, operations: number, closely: boolean): Promise<Outcomes> {
  const service = await Service.start();
  try {
    return await new Run(seed, service).go(operations, closely);
  } finally {
    await service.stop();
  }
}

class Run {
  private readonly model: Model;
  private readonly generator: Generator;
  private readonly outcomes = new Map<string, number>();
  private readonly done: Operation[] = [];
  private readonly reader: ChangeReader;
  /** The content of each deposit when it was first seen reconciled. */
  private readonly reconciled = new Map<number, string>();

  constructor(
    private readonly seed: number,
    private readonly service: Service,
  ) {
    this.model = new Model(service.timeZone, service.today(), service.funds);
    this.generator = new Generator(seed, this.model.books);
    this.reader = new ChangeReader(service);
  }

  async go(operations: number, closely: boolean): Promise<Outcomes> {
    while (this.done.length < operations) {
      await this.step(this.generator.next());
      const left = operations - this.done.length;
      const isDue = left % OPERATIONS_BETWEEN_COMPARISONS === 0 || (closely && left < OPERATIONS_BETWEEN_COMPARISONS);
      if (!isDue) continue;
      await this.compareTables();
      await this.noteReconciled();
      await this.reader.readOn();
    }
    await this.readEverythingBack();
    return this.outcomes;
  }

  private async step(operation: Operation): Promise<void> {
    const answers = await this.service.perform(operation);
    this.done.push(operation);
    for (const seen of answers) this.compare(operation, seen);
  }

  private compare(operation: Operation, seen: Seen): void {
    const expected = this.model.apply(operation, seen);
    if (!agrees(expected, seen.answer)) this.fail('the answer', expected, seen.answer);
    for (const view of seen.created.views) this.compareEntry(Number(view['contributionId']), view);
    for (const outcome of this.namesOf(operation, seen)) {
      this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    }
  }

  private compareEntry(id: number, found: View): void {
    const entry = this.model.books.ledger.entries.get(id);
    const wanted = entry && viewOf(entry);
    if (!sameText(wanted, found)) this.fail('the read-back', wanted, found);
  }

  private async readEverythingBack(): Promise<void> {
    for (const id of this.model.books.ledger.entries.keys()) this.compareEntry(id, (await this.service.read(id)).body);
    const reconciled = [...this.reconciled].map(([id, content]) => ({ id, content }));
    await assertLedgerInvariants(this.service.app.database, [], reconciled);
    await this.reader.readOn();
    for (const [id, view] of this.reader.kept) this.compareEntry(id, view);
    const [known, received] = [this.model.books.ledger.entries.size, this.reader.kept.size];
    if (known !== received) this.fail('the number of contributions that a reader of changes got', known, received);
  }

  private async noteReconciled(): Promise<void> {
    for (const { id, content } of await readReconciledDeposits(this.service.app.database))
      this.reconciled.set(id, this.reconciled.get(id) ?? content);
  }

  private async compareTables(): Promise<void> {
    const found = await differences(this.service.app.database, this.model.books);
    if (found.length === 0) return;
    const few = found.slice(0, 5);
    this.fail(
      `the database, in ${found.length} rows`,
      few.map(({ table, model }) => ({ table, row: model })),
      few.map(({ table, service }) => ({ table, row: service })),
    );
  }

  private fail(what: string, model: unknown, service: unknown): never {
    const number = this.done.length;
    const show = (value: unknown): string => inspect(value, { depth: 8, breakLength: 120 });
    throw new Error(
      [
        `Seed ${this.seed}: service and model do not agree after operation ${number} in ${what}.`,
        `Operation ${number}: ${show(this.done.at(-1))}`,
        `The model has: ${show(model)}`,
        `The service has: ${show(service)}`,
        `To repeat it: npm run test:model -- --seed ${this.seed} --operations ${number}`,
      ].join('\n'),
    );
  }

  /** The names of the outcomes, such as "add: new person" or "reverse: already_reversed". A batch has one for each gift. */
  private namesOf(operation: Operation, seen: Seen): string[] {
    const { status, body } = seen.answer;
    if (operation.kind === 'add batch' && status === 200) {
      return resultsOf(body).map((result) => {
        const answer = answerOf(result);
        const isNew = seen.created.views.some((view) => view['contributionId'] === answer.body['ContributionId']);
        return this.nameOf('add batch', { ...answer, replayed: answer.status === 200 && !isNew });
      });
    }
    const kind = operation.kind === 'add' && operation.dryRun ? 'dry run' : operation.kind;
    const names = [this.nameOf(kind, seen.answer)];
    const { entries } = this.model.books.ledger;
    const first = entries.get(Number(seen.created.views[0]?.['contributionId']));
    if (first === undefined) return names;
    if (first.kind === 'part' && partsOf(first.payment).length > 1) names.push(`${kind}: split`);
    if (first.reversal !== null) {
      if (leftOfPayment(first.payment) > 0) names.push(`${kind}: in part`);
      if (first.reversal.entries.length > 1) names.push(`${kind}: of several gifts`);
      if (first.of?.kind === 'reinstatement') names.push(`${kind}: of a reinstatement`);
      if (first.of !== null && first.of.fundId !== first.fundId) names.push(`${kind}: of a moved gift`);
    }
    return names;
  }

  private nameOf(kind: string, { status, replayed, body }: Answer): string {
    const { code, PeopleId, ContributionId, NewPerson, MultipleMatches } = body;
    if (status !== 200) return `${kind}: ${String(code)}`;
    const gift = this.model.books.ledger.entries.get(Number(ContributionId));
    if (replayed && gift && leftOfPayment(gift.payment) === 0) return `${kind}: replayed although reversed`;
    if (replayed && gift && gift.personId !== PeopleId) return `${kind}: replayed although moved`;
    if (replayed) return `${kind}: replayed`;
    if (NewPerson === true) return `${kind}: new person`;
    return MultipleMatches === true ? `${kind}: several matches` : `${kind}: done`;
  }
}
