import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Actor, AuditTrail, nameOf } from '../../../audit/index.js';
import { Church } from '../../../config/index.js';
import { sqlRows, Transactions } from '../../../database/index.js';
import type { Outcome } from '../../../idempotency/index.js';
import { DEPOSIT_ACTIONS } from '../audit-actions.js';
import { assertDecimals, assertOfBooks } from '../currency-of-deposit.js';
import { type DepositName, lockDeposit, lockNamedDeposit, type LockedDeposit, readDeposit } from '../deposit-rows.js';
import type { DepositView } from '../deposit-view.js';
import { DepositIdReusedError } from '../errors.js';
import { addItems } from './add-items.js';
import { LateItems } from './late-items.service.js';
import type { SentItem } from './named-item.js';
import { ownedItems } from './owned-items.js';
import { readSentDeposit, type SentDepositView } from './sent-deposit.js';

/** A deposit, or some more items of one. */
export interface SendDepositCommand extends DepositName {
  /** The day of the payout, YYYY-MM-DD. */
  readonly date: string;
  /** What is paid out, as decimal text; null if it is not known. */
  readonly amount: string | null;
  readonly items: readonly SentItem[];
  readonly by: Actor;
}

const INSERT_DEPOSIT = `
  INSERT INTO deposit (user_id, source, deposit_id, day, currency, amount, created_by)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT ON CONSTRAINT deposit_once DO NOTHING
  RETURNING id`;

/** Stores deposits that processors send or Finance enters, and adds items to them. */
@Injectable()
export class SendDeposit {
  constructor(
    private readonly church: Church,
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
    private readonly lateItems: LateItems,
  ) {}

  /** As {@link enter}, for a processor: it is told only of its own gifts. */
  async send(command: SendDepositCommand): Promise<Outcome<SentDepositView>> {
    return this.store(command, readSentDeposit);
  }

  /**
   * Stores a deposit, or adds those items to it that it does not have yet. To repeat the call changes nothing. If it throws,
   * nothing is stored.
   * @throws DepositIdReusedError if the deposit has other content, InvalidRequestError for a currency in which the books have no
   * gift and for an amount with more decimals than the currency has, TotalsNotReadyError if the books cannot say yet whether they
   * have a gift in the currency, and the errors of {@link addItems}.
   */
  async enter(command: SendDepositCommand): Promise<Outcome<DepositView>> {
    return this.store(command, readDeposit);
  }

  private async store<T>(
    command: SendDepositCommand,
    read: (tx: EntityManager, id: number) => Promise<T>,
  ): Promise<Outcome<T>> {
    await assertOfBooks(this.transactions, command, this.church.currency);
    return this.lateItems.attempt(async (tx) => {
      const { isNew, deposit } = await this.makeUnlessThere(tx, command);
      if (deposit.date !== command.date) throw new DepositIdReusedError(deposit.depositId, 'another Date');
      if (deposit.amount !== command.amount) throw new DepositIdReusedError(deposit.depositId, 'another Amount');
      const isChanged = await this.addTo(tx, deposit, command, isNew);
      assertDecimals([{ field: 'Amount', amount: command.amount }], deposit.currency);
      return { answer: await read(tx, deposit.id), replayed: !isNew && !isChanged };
    });
  }

  /**
   * Adds items to any deposit that is not reconciled, for Finance. It also adds those again that were removed.
   * @throws DepositNotFoundError, and the errors of {@link addItems}.
   */
  async addItems(id: number, items: readonly SentItem[], by: Actor): Promise<Outcome<DepositView>> {
    return this.lateItems.attempt(async (tx) => {
      const deposit = await lockDeposit(tx, id);
      const isChanged = await this.addTo(tx, deposit, { userId: null, items, by }, false);
      return { answer: await readDeposit(tx, id), replayed: !isChanged };
    });
  }

  /** The deposit with this name, locked. If there is none, it is made. */
  async makeUnlessThere(
    tx: EntityManager,
    { userId, source, depositId, date, amount, currency, by }: Omit<SendDepositCommand, 'items'>,
  ): Promise<{ readonly isNew: boolean; readonly deposit: LockedDeposit }> {
    const name = { userId, source, depositId, currency };
    const present = await lockNamedDeposit(tx, name, this.church.currency);
    if (present !== undefined) return { isNew: false, deposit: present };
    const own = currency ?? this.church.currency;
    const values = [userId, source, depositId, date, own, amount, nameOf(by)];
    const rows = await sqlRows(tx, INSERT_DEPOSIT, values);
    const deposit = await lockNamedDeposit(tx, { ...name, currency: own }, this.church.currency);
    if (deposit === undefined) throw new Error('A deposit that exists was not found');
    return { isNew: rows.length > 0, deposit };
  }

  /** @returns whether anything was added, if only the user of an item. */
  private async addTo(
    tx: EntityManager,
    deposit: LockedDeposit,
    { userId, items, by }: Pick<SendDepositCommand, 'userId' | 'items' | 'by'>,
    isNew: boolean,
  ): Promise<boolean> {
    await this.lateItems.findIn(tx, deposit);
    // Finance may name the gifts of every user, also in the deposit of a processor.
    const adding = { by: nameOf(by), processorId: userId };
    const named = await ownedItems(
      tx,
      items.map((item) => withSource(item, deposit)),
      userId,
    );
    const { added, named: withUser } = await addItems(tx, deposit, named, adding);
    // Last, because an item in another currency is refused with words of its own.
    assertDecimals(
      items.map(({ fee }, index) => ({ field: 'Items', amount: fee, place: `number ${index + 1}: Fee ` })),
      deposit.currency,
    );
    const isChanged = added + withUser > 0;
    if (isNew || isChanged) {
      const details = { items: added, ...(withUser > 0 && { named: withUser }) };
      await this.audit.record(tx, { action: DEPOSIT_ACTIONS.add, subject: `deposit ${deposit.id}`, details, by });
    }
    return isChanged;
  }
}

function withSource(item: SentItem, { source }: LockedDeposit): SentItem {
  return item.transactionId === null ? item : { ...item, source: item.source ?? source };
}
