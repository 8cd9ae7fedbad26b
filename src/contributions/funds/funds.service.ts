import { Injectable } from '@nestjs/common';
import { type EntityManager, Not } from 'typeorm';
import { type AuditAction, AuditTrail } from '../../audit/index.js';
import { sqlRow, Transactions, violatesUnique } from '../../database/index.js';
import { FundCommandError, FundNotFoundError } from './errors.js';
import { Fund, MAX_FUND_NAME } from './fund.entity.js';
import type { FundView } from './fund-view.js';
import { isAbsent, isFault, readText } from '../../values/index.js';
import { FUND_ACTIONS } from './audit-actions.js';

const INSERT_FUND = 'INSERT INTO fund (name) VALUES ($1) RETURNING id';

/** Creates and changes funds. A fund is never deleted, because processors send its id. */
@Injectable()
export class Funds {
  constructor(
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
  ) {}

  /** All funds, ordered by id. */
  async list(): Promise<FundView[]> {
    const funds = await this.transactions.run((tx) => tx.getRepository(Fund).find({ order: { id: 'ASC' } }));
    return funds.map(viewOf);
  }

  /** @throws FundCommandError if the name is invalid or already used. */
  async create(name: string): Promise<FundView> {
    const reading = isAbsent(name) ? { fault: 'must not be blank' } : readText(name, { max: MAX_FUND_NAME });
    if (isFault(reading)) throw new FundCommandError(`The name ${reading.fault}.`);
    try {
      return await this.transactions.run(async (tx) => {
        // In SQL: TypeORM names the id in its INSERT, and the service's role may set the name alone.
        const created = await sqlRow<{ id: number }>(tx, INSERT_FUND, [reading.value]);
        if (created === undefined) throw new Error('INSERT returned no row');
        return this.recordChange(tx, created.id, FUND_ACTIONS.create);
      });
    } catch (error) {
      if (!violatesUnique(error, 'fund_name_key')) throw error;
      throw new FundCommandError('There is already a fund with this name.');
    }
  }

  /** Opens a fund or closes it. @throws FundNotFoundError */
  async setOpen({ fundId, open }: Pick<FundView, 'fundId' | 'open'>): Promise<FundView> {
    return this.transactions.run(async (tx) => {
      const { affected } = await tx.getRepository(Fund).update({ id: fundId }, { isOpen: open });
      if (affected === 0) throw new FundNotFoundError(fundId);
      return this.recordChange(tx, fundId, open ? FUND_ACTIONS.open : FUND_ACTIONS.close);
    });
  }

  /** @throws FundNotFoundError @throws FundCommandError for a closed fund. */
  async makeDefault(fundId: number): Promise<FundView> {
    return this.transactions.run(async (tx) => {
      const funds = tx.getRepository(Fund);
      // All are locked, lower id first, so that calls follow each other: there is always exactly one default.
      const all = await funds.find({ order: { id: 'ASC' }, lock: { mode: 'pessimistic_write' } });
      const fund = all.find(({ id }) => id === fundId);
      if (fund === undefined) throw new FundNotFoundError(fundId);
      if (!fund.isOpen) throw new FundCommandError(`${fund.name} is closed. Open it first: fund open ${fundId}`);
      await funds.update({ isDefault: true, id: Not(fundId) }, { isDefault: false });
      await funds.update({ id: fundId }, { isDefault: true });
      return this.recordChange(tx, fundId, FUND_ACTIONS.default);
    });
  }

  private async recordChange(tx: EntityManager, fundId: number, action: AuditAction): Promise<FundView> {
    await this.audit.record(tx, { action, subject: `fund ${fundId}` });
    return viewOf(await tx.getRepository(Fund).findOneByOrFail({ id: fundId }));
  }
}

function viewOf({ id, name, isOpen, isDefault }: Fund): FundView {
  return { fundId: id, name, open: isOpen, default: isDefault };
}
