import { Controller, Get } from '@nestjs/common';
import { Public } from '../auth/index.js';
import { type ApiGroup, DATABASE_UNAVAILABLE, Operation } from '../http/index.js';
import { AliveAnswer, ReadyAnswer } from './answers.js';
import { Readiness } from './readiness.js';

const HEALTH: ApiGroup = {
  name: 'Health',
  description: 'For balancers and container engines. No credentials.',
  position: 3,
};

/** What a balancer or a container engine asks. No credentials, and nothing told that is not everybody's. */
@Controller('health')
@Public()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  @Operation({ group: HEALTH, id: 'Live', summary: 'The process answers', answer: AliveAnswer })
  live(): AliveAnswer {
    return { status: 'ok' };
  }

  @Get('ready')
  @Operation({
    group: HEALTH,
    id: 'Ready',
    summary: 'Gifts can be taken in',
    description: 'The database takes writes, and its migrations are there. The answer is at most a second old.',
    answer: ReadyAnswer,
    failures: [DATABASE_UNAVAILABLE],
  })
  ready(): Promise<ReadyAnswer> {
    return this.readiness.latest();
  }
}
