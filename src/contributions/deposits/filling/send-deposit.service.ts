import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Actor, AuditTrail, nameOf } from '../../../audit/index.js';
import { Church } from '../../../config/index.js';
import { sqlRows } from '../../../database/index.js';
import type { Outcome } from '../../../idempotency/index.js';
import { DEPOSIT_ACTIONS } from '../audit-actions.js';
import { type DepositName, lockDeposit, lockNamedDeposit, type LockedDeposit, readDeposit } from '../deposit-rows.js';
import type { DepositView } from '../deposit-view.js';
import { DepositIdReusedError } from '../errors.js';
import { addItems } from './add-items.js';
import { LateItems } from './late-items.service.js';
import type { NamedItem } from './named-item.js';

/** A deposit, or some more items of one. */
export interface SendDepositCommand extends DepositName {
  /** The day of the payout, YYYY-MM-DD. */
  readonly date: string;
  /** What is paid out, as decimal text; null if it is not known. */
  readonly amount: string | null;
  readonly items: readonly NamedItem[];
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
    private readonly audit: AuditTrail,
    private readonly lateItems: LateItems,
  ) {}

  /**
   * Stores a deposit, or adds those items to it that it does not have yet. To repeat the call changes nothing. If it throws,
   * nothing is stored.
   * @throws DepositIdReusedError if the deposit has other content, and the errors of {@link addItems}.
   */
  async send(command: SendDepositCommand): Promise<Outcome<DepositView>> {
    return this.lateItems.attempt(async (tx) => {
      const { isNew, deposit } = await this.makeUnlessThere(tx, command);
      if (deposit.date !== command.date) throw new DepositIdReusedError(deposit.depositId, 'another Date');
      if (deposit.amount !== command.amount) throw new DepositIdReusedError(deposit.depositId, 'another Amount');
      const added = await this.addTo(tx, deposit, command, isNew);
      return { answer: await readDeposit(tx, deposit.id), replayed: !isNew && added === 0 };
    });
  }

  /**
   * Adds items to any deposit that is not reconciled, for Finance. It also adds those again that were removed.
   * @throws DepositNotFoundError, and the errors of {@link addItems}.
   */
  async addItems(id: number, items: readonly NamedItem[], by: Actor): Promise<Outcome<DepositView>> {
    return this.lateItems.attempt(async (tx) => {
      const deposit = await lockDeposit(tx, id);
      const added = await this.addTo(tx, deposit, { userId: null, items, by }, false);
      return { answer: await readDeposit(tx, id), replayed: added === 0 };
    });
  }

  /** The deposit with this name, locked. If there is none, it is made. */
  async makeUnlessThere(
    tx: EntityManager,
    { userId, source, depositId, date, amount, by }: Omit<SendDepositCommand, 'items'>,
  ): Promise<{ readonly isNew: boolean; readonly deposit: LockedDeposit }> {
    const values = [userId, source, depositId, date, this.church.currency, amount, nameOf(by)];
    const rows = await sqlRows(tx, INSERT_DEPOSIT, values);
    const deposit = await lockNamedDeposit(tx, { userId, source, depositId });
    if (deposit === undefined) throw new Error('A deposit that exists was not found');
    return { isNew: rows.length > 0, deposit };
  }

  private async addTo(
    tx: EntityManager,
    deposit: LockedDeposit,
    { userId, items, by }: Pick<SendDepositCommand, 'userId' | 'items' | 'by'>,
    isNew: boolean,
  ): Promise<number> {
    await this.lateItems.findIn(tx, deposit);
    // Finance may name the gifts of every user, also in the deposit of a processor.
    const adding = { by: nameOf(by), addsRemoved: userId === null };
    const added = await addItems(
      tx,
      { ...deposit, userId },
      items.map((item) => withSource(item, deposit)),
      adding,
    );
    if (isNew || added > 0) {
      const details = { items: added };
      await this.audit.record(tx, { action: DEPOSIT_ACTIONS.add, subject: `deposit ${deposit.id}`, details, by });
    }
    return added;
  }
}

function withSource(item: NamedItem, { source }: LockedDeposit): NamedItem {
  return item.transactionId === null ? item : { ...item, source: item.source ?? source };
}
