import { Injectable } from '@nestjs/common';
import { UserAccounts } from '../auth/index.js';
import { Church, Configuration } from '../config/index.js';
import { DoctorChecks, type Finding } from '../health/index.js';
import { DatabaseFindings } from './database-findings.js';
import { checkTls } from './check-tls.js';

/** The roles that a processor needs. */
const PROCESSOR_ROLES = ['Developer', 'APIOnly', 'APIWrite'] as const;

/** Checks the whole installation. */
@Injectable()
export class Doctor {
  constructor(
    private readonly configuration: Configuration,
    private readonly church: Church,
    private readonly database: DatabaseFindings,
    private readonly users: UserAccounts,
    private readonly checks: DoctorChecks,
  ) {}

  /** Runs all checks, which use the database, the mail server and the proxy. */
  async examine(): Promise<Finding[]> {
    return [
      { check: 'configuration', result: 'ok', found: 'every variable is valid' },
      ...(await this.database.all()),
      this.timeZone(),
      await this.processors(),
      ...(await this.checks.findings()),
      await checkTls(this.configuration.http),
    ];
  }

  private timeZone(): Finding {
    const check = 'time zone';
    if (this.church.timeZone !== 'UTC') return { check, result: 'ok', found: this.church.timeZone };
    const found = 'UTC: a gift in the evening may count for the next day, or the next year';
    return { check, result: 'warning', found, advice: 'Set CHURCH_TIME_ZONE, for example to America/Chicago.' };
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
