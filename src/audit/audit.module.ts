import { DynamicModule, Module } from '@nestjs/common';
import { AuditTrail } from './audit-trail.service.js';
import { PROCESS_ACTOR } from './process-actor.js';

/** The audit trail. Global, so that any module can record in it. */
@Module({})
export class AuditModule {
  /** @param actor recorded for actions without an API user: {@link processActor}. */
  static forRoot(actor: string): DynamicModule {
    return {
      module: AuditModule,
      global: true,
      providers: [{ provide: PROCESS_ACTOR, useValue: actor }, AuditTrail],
      exports: [AuditTrail],
    };
  }
}
