import { Controller, Get } from '@nestjs/common';
import { ForTokens, Roles } from '../auth/index.js';
import { Operation } from '../http/index.js';
import { WarningList } from './answers.js';
import { HEALTH } from './api-group.js';
import { HealthWarnings } from './health-warnings.js';

/** What needs attention, for Finance. It is confidential: it shows, for example, whether anybody reads the notices. */
@Controller('Api')
@Roles('Finance')
export class WarningsController {
  constructor(private readonly warnings: HealthWarnings) {}

  @Get('Warnings')
  @ForTokens('read')
  @Operation({ group: HEALTH, id: 'ListWarnings', summary: 'List what needs attention', answer: WarningList })
  async list(): Promise<WarningList> {
    return { warnings: await this.warnings.current() };
  }
}
