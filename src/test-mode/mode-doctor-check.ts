import { Injectable, OnModuleInit } from '@nestjs/common';
import { DoctorChecks } from '../health/index.js';

/** Says in the doctor's report that this is a test system. */
@Injectable()
export class ModeDoctorCheck implements OnModuleInit {
  constructor(private readonly checks: DoctorChecks) {}

  onModuleInit(): void {
    const found = 'test: the gifts here are not real, and mails go to Finance only';
    this.checks.add('mode', () => Promise.resolve({ check: 'mode', result: 'ok', found }));
  }
}
