import { Injectable } from '@nestjs/common';
import { UserAccounts } from '../auth/index.js';
import { Church, Configuration } from '../config/index.js';
import { DoctorChecks, type Finding } from '../health/index.js';
import { DatabaseFindings } from './database-findings.js';
import { examineTls } from './examine-tls.js';

/** What lets a processor in. */
const PROCESSOR_ROLES = ['Developer', 'APIOnly', 'APIWrite'] as const;

/** Looks over the whole installation, and says of each fault what to do. */
@Injectable()
export class Doctor {
  constructor(
    private readonly configuration: Configuration,
    private readonly church: Church,
    private readonly database: DatabaseFindings,
    private readonly users: UserAccounts,
    private readonly checks: DoctorChecks,
  ) {}

  /** Findings in the order of a gift's way; talks to the database, the mail server and the proxy. */
  async examine(): Promise<Finding[]> {
    return [
      { check: 'configuration', result: 'ok', found: 'every variable can be read' },
      ...(await this.database.all()),
      this.timeZone(),
      await this.processors(),
      ...(await this.checks.findings()),
      await examineTls(this.configuration.http),
    ];
  }

  private timeZone(): Finding {
    const check = 'time zone';
    if (this.church.timeZone !== 'UTC') return { check, result: 'ok', found: this.church.timeZone };
    const found = 'UTC: a gift of the evening may count for the next day, or the next year';
    return { check, result: 'warning', found, advice: 'Set CHURCH_TIME_ZONE, such as America/Chicago.' };
  }

  private async processors(): Promise<Finding> {
    const check = 'processors';
    const users = await this.users.list();
    const able = users.filter(({ active, roles }) => active && PROCESSOR_ROLES.every((role) => roles.includes(role)));
    if (able.length > 0) return { check, result: 'ok', found: able.map(({ username }) => username).join(', ') };
    const advice = `offertory user create <processor> --roles ${PROCESSOR_ROLES.join(',')}`;
    return { check, result: 'warning', found: 'no active user may send gifts', advice };
  }
}
