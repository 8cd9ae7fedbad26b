import { Controller, Get } from '@nestjs/common';
import { Public } from '../auth/index.js';
import { DATABASE_UNAVAILABLE, Operation } from '../http/index.js';
import { HEALTH } from './api-group.js';
import { AliveAnswer } from './answers.js';
import { SERVICE_STOPPING } from './errors.js';
import { Readiness } from './readiness.js';

/** Liveness and readiness, for load balancers and container engines. Public, so nothing in it is confidential. */
@Controller('health')
@Public()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  @Operation({
    group: HEALTH,
    id: 'Live',
    summary: 'Check that the process answers',
    description: 'It says nothing about the database.',
    answer: AliveAnswer,
  })
  live(): AliveAnswer {
    return { status: 'ok' };
  }

  @Get('ready')
  @Operation({
    group: HEALTH,
    id: 'Ready',
    summary: 'Check that gifts can be recorded',
    description:
      'The database accepts writes and is migrated, and the process is not about to stop. What it says about the database is at most a second old.',
    answer: AliveAnswer,
    failures: [DATABASE_UNAVAILABLE, SERVICE_STOPPING],
  })
  async ready(): Promise<AliveAnswer> {
    await this.readiness.latest();
    return { status: 'ok' };
  }
}
