import { DynamicModule, Module } from '@nestjs/common';
import { JobsModule } from '../jobs/index.js';
import { AuditTrail } from './audit-trail.service.js';
import { PROCESS_ACTOR } from './process-actor.js';
import { AuditSealsWorker } from './seals/audit-seals.worker.js';
import { SealAuditTrail } from './seals/seal-audit-trail.service.js';
import { VerifyAuditTrail } from './seals/verify-audit-trail.service.js';

/** The audit trail and its seals. Global, so that any module can record in it. */
@Module({})
export class AuditModule {
  /** @param actor recorded for actions without an API user: {@link processActor}. */
  static forRoot(actor: string): DynamicModule {
    return {
      module: AuditModule,
      global: true,
      imports: [JobsModule],
      providers: [
        { provide: PROCESS_ACTOR, useValue: actor },
        AuditTrail,
        SealAuditTrail,
        VerifyAuditTrail,
        AuditSealsWorker,
      ],
      exports: [AuditTrail, SealAuditTrail],
    };
  }
}
