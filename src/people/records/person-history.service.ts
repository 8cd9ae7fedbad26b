import { Injectable } from '@nestjs/common';
import { type AuditEntryView, auditEntryView, AuditTrail } from '../../audit/index.js';
import { PersonRecords } from '../person-records.service.js';

/** Reads what was done to a person. */
@Injectable()
export class PersonHistory {
  constructor(
    private readonly persons: PersonRecords,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * The changes of the person, of its contacts, and of the persons who were merged into it; the newest 200, the newest
   * first. The trail of a person who was merged into another one goes on there.
   * @throws GiverNotFoundError
   */
  async of(peopleId: number): Promise<AuditEntryView[]> {
    const { mergedFrom } = await this.persons.show(peopleId);
    const peopleIds = [peopleId, ...mergedFrom];
    const entries = await this.audit.history({ subjects: peopleIds.map((id) => `person ${id}`), peopleIds });
    return entries.map(auditEntryView);
  }
}
