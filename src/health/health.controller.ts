import { Controller, Get } from '@nestjs/common';
import { Public } from '../auth/index.js';
import { type ApiGroup, DATABASE_UNAVAILABLE, Operation } from '../http/index.js';
import { AliveAnswer, ReadyAnswer } from './answers.js';
import { Readiness } from './readiness.js';

const HEALTH: ApiGroup = {
  name: 'Health',
  description: 'For load balancers and container engines. No credentials needed.',
  position: 3,
};

/** Liveness and readiness, for load balancers and container engines. Public, so nothing in it is confidential. */
@Controller('health')
@Public()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  @Operation({ group: HEALTH, id: 'Live', summary: 'Check that the process answers', answer: AliveAnswer })
  live(): AliveAnswer {
    return { status: 'ok' };
  }

  @Get('ready')
  @Operation({
    group: HEALTH,
    id: 'Ready',
    summary: 'Check that gifts can be recorded',
    description: 'The database accepts writes, and is migrated. The answer is at most a second old.',
    answer: ReadyAnswer,
    failures: [DATABASE_UNAVAILABLE],
  })
  ready(): Promise<ReadyAnswer> {
    return this.readiness.latest();
  }
}
