import { Controller, Get, Query } from '@nestjs/common';
import { auditEntryView, AuditTrail, ENTRIES_PER_PAGE } from '../audit/index.js';
import { ForTokens, ReadsBooks } from '../auth/index.js';
import { Operation, QueryPipe } from '../http/index.js';
import { CHANGES } from './api-group.js';
import { ChangeList } from './change-list.js';
import { ListChangesRequest } from './list-changes.request.js';

/** Shows to Finance who did what. */
@Controller('Api')
export class ChangesController {
  constructor(private readonly audit: AuditTrail) {}

  @Get('Audit')
  @ReadsBooks()
  @ForTokens('read')
  @Operation({
    group: CHANGES,
    id: 'ListChanges',
    summary: 'List who did what: the audit trail',
    answer: ChangeList,
  })
  async list(@Query(QueryPipe) filter: ListChangesRequest): Promise<ChangeList> {
    const entries = await this.audit.list(filter);
    const last = entries.length === ENTRIES_PER_PAGE ? entries.at(-1) : undefined;
    return { entries: entries.map(auditEntryView), next: last?.id ?? null };
  }
}
