import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { DatabaseFindings } from './database-findings.js';
import { Doctor } from './doctor.service.js';
import { FaultWatch } from './fault-watch.js';
import { SealDoctorCheck } from './seal-doctor-check.js';
import { TokenDoctorChecks } from './token-doctor-checks.js';

/** Runs its own checks and those of all modules. */
@Module({
  imports: [AuthModule],
  providers: [DatabaseFindings, Doctor, FaultWatch, SealDoctorCheck, TokenDoctorChecks],
})
export class DoctorModule {}
