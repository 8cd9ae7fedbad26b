import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type AuditAction, AuditTrail } from '../../audit/index.js';
import { sqlRow, sqlRows, Transactions, violatesUnique } from '../../database/index.js';
import { FundCommandError, FundNotFoundError } from './errors.js';
import type { FundView } from './fund-view.js';
import { isAbsent, isFault, readText } from '../../values/index.js';
import { FUND_ACTIONS } from './audit-actions.js';

const LONGEST_NAME = 100;
const FUND = 'id AS "fundId", name, is_open AS open, is_default AS "default"';

/** Makes and changes funds. Ids stay, since processors send them; a fund is never deleted. */
@Injectable()
export class Funds {
  constructor(
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
  ) {}

  /** By id. */
  async list(): Promise<FundView[]> {
    return this.transactions.query<FundView>(`SELECT ${FUND} FROM fund ORDER BY id`);
  }

  /** @throws FundCommandError for a name that is unusable or taken. */
  async create(name: string): Promise<FundView> {
    const reading = isAbsent(name) ? { fault: 'must not be blank' } : readText(name, { max: LONGEST_NAME });
    if (isFault(reading)) throw new FundCommandError(`The name ${reading.fault}.`);
    try {
      return await this.transactions.run((tx) =>
        this.change(tx, FUND_ACTIONS.create, `INSERT INTO fund (name) VALUES ($1) RETURNING ${FUND}`, [reading.value]),
      );
    } catch (error) {
      if (!violatesUnique(error, 'fund_name_key')) throw error;
      throw new FundCommandError('There is a fund of that name already.');
    }
  }

  /** @throws FundNotFoundError */
  async setOpen(fundId: number, open: boolean): Promise<FundView> {
    return this.transactions.run(async (tx) => {
      await locked(tx, fundId);
      const action = open ? FUND_ACTIONS.open : FUND_ACTIONS.close;
      return this.change(tx, action, `UPDATE fund SET is_open = $2 WHERE id = $1 RETURNING ${FUND}`, [fundId, open]);
    });
  }

  /** @throws FundNotFoundError, FundCommandError for a closed fund. */
  async makeDefault(fundId: number): Promise<FundView> {
    return this.transactions.run(async (tx) => {
      // One after the other: there is one default at any time, and never none.
      await sqlRows(tx, 'SELECT FROM fund WHERE is_default OR id = $1 ORDER BY id FOR UPDATE', [fundId]);
      const fund = await locked(tx, fundId);
      if (!fund.open) throw new FundCommandError(`${fund.name} is closed. Open it first: fund open ${fundId}`);
      await sqlRows(tx, 'UPDATE fund SET is_default = false WHERE is_default AND id <> $1', [fundId]);
      const choose = `UPDATE fund SET is_default = true WHERE id = $1 RETURNING ${FUND}`;
      return this.change(tx, FUND_ACTIONS.default, choose, [fundId]);
    });
  }

  private async change(
    tx: EntityManager,
    action: AuditAction,
    statement: string,
    values: readonly unknown[],
  ): Promise<FundView> {
    const fund = await sqlRow<FundView>(tx, statement, values);
    if (fund === undefined) throw new Error('A statement about one fund returned none');
    await this.audit.record(tx, action, `fund ${fund.fundId}`);
    return fund;
  }
}

async function locked(tx: EntityManager, fundId: number): Promise<FundView> {
  const fund = await sqlRow<FundView>(tx, `SELECT ${FUND} FROM fund WHERE id = $1 FOR UPDATE`, [fundId]);
  if (fund === undefined) throw new FundNotFoundError(fundId);
  return fund;
}
