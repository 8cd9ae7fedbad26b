import { Controller, Get } from '@nestjs/common';
import { ForTokens, ReadsBooks } from '../auth/index.js';
import { Operation } from '../http/index.js';
import { WarningList } from './answers.js';
import { HEALTH } from './api-group.js';
import { HealthWarnings } from './health-warnings.js';

/** What needs attention, for Finance and auditors. It is confidential: it shows, for example, whether anybody reads the notices. */
@Controller('Api')
@ReadsBooks()
export class WarningsController {
  constructor(private readonly warnings: HealthWarnings) {}

  @Get('Warnings')
  @ForTokens('read')
  @Operation({ group: HEALTH, id: 'ListWarnings', summary: 'List what needs attention', answer: WarningList })
  async list(): Promise<WarningList> {
    return { warnings: await this.warnings.current() };
  }
}
