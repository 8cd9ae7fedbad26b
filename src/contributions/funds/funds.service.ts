import { Injectable } from '@nestjs/common';
import { type EntityManager, Not } from 'typeorm';
import { type Actor, type AuditAction, AuditTrail } from '../../audit/index.js';
import { sqlRow, Transactions, violatesUnique } from '../../database/index.js';
import {
  FundChangedError,
  FundClosedError,
  FundNameTakenError,
  FundNotFoundError,
  InvalidFundNameError,
} from './errors.js';
import { FormerFundName } from './naming/former-fund-name.entity.js';
import { fundsWithName, lockFundNames, readFundNames } from './naming/fund-names.js';
import { Fund, MAX_FUND_NAME } from './fund.entity.js';
import type { FundDetails, FundView } from './fund-view.js';
import { isAbsent, isFault, readText } from '../../values/index.js';
import { FUND_ACTIONS } from './audit-actions.js';

/** A fund to open or close. */
export interface SetFundOpenCommand {
  readonly fundId: number;
  readonly open: boolean;
  /** Default: the command line. */
  readonly by?: Actor | undefined;
}

/** A fund to rename. */
export interface RenameFundCommand {
  readonly fundId: number;
  readonly name: string;
  /** The name that the caller has seen; undefined: any. */
  readonly was?: string | undefined;
  /** Default: the command line. */
  readonly by?: Actor | undefined;
}

/** Who changes the default fund, and which one they have seen. */
export interface DefaultFundChange {
  /** The FundId of the default fund that the caller has seen; undefined: any. */
  readonly was?: number | undefined;
  /** Default: the command line. */
  readonly by?: Actor | undefined;
}

/** In SQL: TypeORM names the id in its INSERT, and the service's role may set only these columns. */
const INSERT_FUND = 'INSERT INTO fund (name) VALUES ($1) RETURNING id';
const INSERT_FORMER_NAME = 'INSERT INTO fund_former_name (fund_id, name) VALUES ($1, $2)';

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

  /** @throws FundNotFoundError */
  async show(fundId: number): Promise<FundDetails> {
    return this.transactions.run(async (tx) => {
      const fund = await tx.getRepository(Fund).findOneBy({ id: fundId });
      if (fund === null) throw new FundNotFoundError(fundId);
      const former = await tx.getRepository(FormerFundName).find({ where: { fundId }, order: { until: 'DESC' } });
      const formerNames = former.map(({ name, until }) => ({ name, until: until.toISOString() }));
      return { ...viewOf(fund), formerNames };
    });
  }

  /** @throws InvalidFundNameError @throws FundNameTakenError */
  async create(name: string, by?: Actor): Promise<FundView> {
    const valid = validName(name);
    return this.naming(async (tx) => {
      await assertFree(tx, valid);
      const created = await sqlRow<{ id: number }>(tx, INSERT_FUND, [valid]);
      if (created === undefined) throw new Error('INSERT returned no row');
      return this.recordChange(tx, created.id, FUND_ACTIONS.create, by);
    });
  }

  /**
   * Renames a fund. It keeps its id, and gifts can still name it by the former name. It has no effect if the fund has the
   * name already.
   * @throws InvalidFundNameError, FundNotFoundError, FundNameTakenError, FundChangedError
   */
  async rename({ fundId, name, was, by }: RenameFundCommand): Promise<FundView> {
    const valid = validName(name);
    return this.naming(async (tx) => {
      const fund = await tx.getRepository(Fund).findOneBy({ id: fundId });
      if (fund === null) throw new FundNotFoundError(fundId);
      if (fund.name === valid) return viewOf(fund);
      if (was !== undefined && was !== fund.name) throw new FundChangedError('name', viewOf(fund));
      await assertFree(tx, valid, fundId);
      await sqlRow(tx, INSERT_FORMER_NAME, [fundId, fund.name]);
      await tx.getRepository(Fund).update({ id: fundId }, { name: valid });
      return this.recordChange(tx, fundId, FUND_ACTIONS.rename, by);
    });
  }

  /** Opens a fund or closes it. It has no effect on one that is so already. @throws FundNotFoundError */
  async setOpen({ fundId, open, by }: SetFundOpenCommand): Promise<FundView> {
    return this.transactions.run(async (tx) => {
      const funds = tx.getRepository(Fund);
      const { affected } = await funds.update({ id: fundId, isOpen: !open }, { isOpen: open });
      if (affected !== 0) return this.recordChange(tx, fundId, open ? FUND_ACTIONS.open : FUND_ACTIONS.close, by);
      const fund = await funds.findOneBy({ id: fundId });
      if (fund === null) throw new FundNotFoundError(fundId);
      return viewOf(fund);
    });
  }

  /**
   * Makes a fund the default. It has no effect on the default fund.
   * @throws FundNotFoundError @throws FundClosedError @throws FundChangedError
   */
  async makeDefault(fundId: number, { was, by }: DefaultFundChange = {}): Promise<FundView> {
    return this.transactions.run(async (tx) => {
      const funds = tx.getRepository(Fund);
      // All are locked, lower id first, so that calls follow each other: there is always exactly one default.
      const all = await funds.find({ order: { id: 'ASC' }, lock: { mode: 'pessimistic_write' } });
      const fund = all.find(({ id }) => id === fundId);
      if (fund === undefined) throw new FundNotFoundError(fundId);
      if (fund.isDefault) return viewOf(fund);
      const present = all.find(({ isDefault }) => isDefault);
      if (was !== undefined && present !== undefined && present.id !== was) {
        throw new FundChangedError('default', viewOf(present));
      }
      if (!fund.isOpen) throw new FundClosedError(viewOf(fund));
      await funds.update({ isDefault: true, id: Not(fundId) }, { isDefault: false });
      await funds.update({ id: fundId }, { isDefault: true });
      return this.recordChange(tx, fundId, FUND_ACTIONS.default, by);
    });
  }

  /** Runs work that gives a name to a fund. The release before does not lock names, so the constraint decides, too. */
  private async naming(work: (tx: EntityManager) => Promise<FundView>): Promise<FundView> {
    try {
      return await this.transactions.run(async (tx) => {
        await lockFundNames(tx);
        return work(tx);
      });
    } catch (error) {
      throw violatesUnique(error, 'fund_name_key') ? new FundNameTakenError() : error;
    }
  }

  private async recordChange(tx: EntityManager, fundId: number, action: AuditAction, by?: Actor): Promise<FundView> {
    await this.audit.record(tx, { action, subject: `fund ${fundId}`, ...(by !== undefined && { by }) });
    return viewOf(await tx.getRepository(Fund).findOneByOrFail({ id: fundId }));
  }
}

function validName(name: string): string {
  const reading = isAbsent(name) ? { fault: 'must not be blank' } : readText(name, { max: MAX_FUND_NAME });
  if (isFault(reading)) throw new InvalidFundNameError(reading.fault);
  return reading.value;
}

/** @param fundId the fund that is to have the name; its own names are free for it. @throws FundNameTakenError */
async function assertFree(tx: EntityManager, name: string, fundId?: number): Promise<void> {
  const ofOthers = (await readFundNames(tx)).filter((one) => one.fundId !== fundId);
  const [taken] = fundsWithName(name, ofOthers);
  if (taken === undefined) return;
  const isFormer =
    fundsWithName(
      name,
      ofOthers.filter((one) => !one.isFormer),
    ).length === 0;
  throw new FundNameTakenError(isFormer ? taken : undefined);
}

function viewOf({ id, name, isOpen, isDefault }: Fund): FundView {
  return { fundId: id, name, open: isOpen, default: isDefault };
}
