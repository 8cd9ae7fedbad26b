import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { DatabaseFindings } from './database-findings.js';
import { Doctor } from './doctor.service.js';
import { FaultWatch } from './fault-watch.js';

/** Looks across all modules, at what they hand in. */
@Module({ imports: [AuthModule], providers: [DatabaseFindings, Doctor, FaultWatch] })
export class DoctorModule {}
