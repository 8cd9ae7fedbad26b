import { Controller, Get } from '@nestjs/common';
import { Public } from '../auth/index.js';
import { DatabaseReadiness } from '../database/index.js';
import { Operation } from '../http/index.js';
import { AliveAnswer, ReadyAnswer } from './answers.js';
import { MigrationsPendingError } from './errors.js';
import { HealthWarnings } from './health-warnings.js';

/** What a balancer or a container engine asks. No credentials, and nothing told that is not everybody's. */
@Controller('health')
@Public()
export class HealthController {
  constructor(
    private readonly database: DatabaseReadiness,
    private readonly warnings: HealthWarnings,
  ) {}

  @Get('live')
  @Operation({ group: 'Health', id: 'Live', summary: 'The process answers', answer: AliveAnswer })
  live(): AliveAnswer {
    return { status: 'ok' };
  }

  @Get('ready')
  @Operation({
    group: 'Health',
    id: 'Ready',
    summary: 'Gifts can be taken in',
    description: 'The database and its migrations are there.',
    answer: ReadyAnswer,
    failures: ['database_unavailable'],
  })
  async ready(): Promise<ReadyAnswer> {
    const pending = await this.database.pendingMigrations();
    if (pending.length > 0) throw new MigrationsPendingError(pending.length);
    const warnings = await this.warnings.current();
    return { status: 'ok', ...(warnings.length > 0 && { warnings }) };
  }
}
