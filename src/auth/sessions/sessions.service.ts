import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AuditTrail } from '../../audit/index.js';
import { Transactions } from '../../database/index.js';
import { actorOf, type Caller } from '../caller.js';
import { SESSION_ACTIONS } from './audit-actions.js';
import { Session } from './session.entity.js';
import { IS_OF_USER, IS_UNEXPIRED } from './reading/session-validity.js';
import { AppUser } from '../users/app-user.entity.js';

/** Lists and ends the sessions of a user. */
@Injectable()
export class Sessions {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
  ) {}

  /** The sessions of a user that have not ended, the latest first. */
  async list(userId: number): Promise<Session[]> {
    return this.dataSource.manager
      .createQueryBuilder(Session, 's')
      .innerJoin(AppUser, 'u', 'u.id = s.user_id')
      .where(`s.user_id = :userId AND ${IS_UNEXPIRED} AND ${IS_OF_USER}`, { userId })
      .orderBy('s.createdAt', 'DESC')
      .getMany();
  }

  /** Ends a session of the caller, from the next click on. Has no effect on one that has ended, or that is another user's. */
  async end(caller: Caller, sessionId: number): Promise<void> {
    await this.transactions.run(async (tx) => {
      const { affected } = await tx.delete(Session, { id: sessionId, userId: caller.userId });
      if (affected === 0) return;
      const subject = `session ${sessionId}`;
      await this.audit.record(tx, { action: SESSION_ACTIONS.end, subject, by: actorOf(caller) });
    });
  }

  /** Ends all sessions of the caller but the one of this click. @returns how many. */
  async endOthers(caller: Caller): Promise<number> {
    const others = (await this.list(caller.userId)).filter(({ id }) => id !== caller.session?.id);
    for (const { id } of others) await this.end(caller, id);
    return others.length;
  }
}
