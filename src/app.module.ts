import { DynamicModule, Module } from '@nestjs/common';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { AuditModule, processActor } from './audit/index.js';
import { ApiDocumentModule } from './api-document/index.js';
import { AuthModule } from './auth/index.js';
import { ChangesModule } from './changes/index.js';
import { ConfigModule, type Configuration } from './config/index.js';
import { ConsoleModule } from './console/index.js';
import { ContributionsModule } from './contributions/index.js';
import { type Connection, DatabaseModule } from './database/index.js';
import { DoctorModule } from './doctor/index.js';
import { GuidesModule } from './guides/index.js';
import { HealthModule } from './health/index.js';
import { HttpModule } from './http/index.js';
import { IdempotencyModule } from './idempotency/index.js';
import { JobsModule } from './jobs/index.js';
import { MetricsModule } from './metrics/index.js';
import { NotificationsModule } from './notifications/index.js';
import { PagesModule } from './pages/index.js';
import { ENTITIES } from './parts.js';
import { PeopleModule } from './people/index.js';
import { TestModeModule } from './test-mode/index.js';
import { WebhooksModule } from './webhooks/index.js';

/** Lists all modules. */
@Module({})
export class AppModule {
  /** @param actor recorded in the audit trail for actions without an API user. */
  static forRoot(configuration: Configuration, connection: Connection, actor = processActor('service')): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(configuration),
        MetricsModule,
        DatabaseModule.forRoot(connection, configuration.database.poolSize, ENTITIES),
        EventEmitterModule.forRoot(),
        JobsModule,
        HttpModule,
        PagesModule,
        IdempotencyModule,
        HealthModule,
        AuditModule.forRoot(actor),
        AuthModule,
        ChangesModule,
        PeopleModule,
        ContributionsModule,
        NotificationsModule,
        WebhooksModule,
        DoctorModule,
        ApiDocumentModule,
        GuidesModule,
        ConsoleModule,
        ...(configuration.mode === 'test' ? [TestModeModule] : []),
      ],
    };
  }
}
