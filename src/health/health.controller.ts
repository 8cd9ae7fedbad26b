import { Controller, Get } from '@nestjs/common';
import { Public } from '../auth/index.js';
import { DatabaseReadiness } from '../database/index.js';
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

  /** The process answers. */
  @Get('live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** Gifts can be taken in: the database and its migrations are there; otherwise 503. */
  @Get('ready')
  async ready(): Promise<{ status: 'ok'; warnings?: string[] }> {
    const pending = await this.database.pendingMigrations();
    if (pending.length > 0) throw new MigrationsPendingError(pending.length);
    const warnings = await this.warnings.current();
    return { status: 'ok', ...(warnings.length > 0 && { warnings }) };
  }
}
