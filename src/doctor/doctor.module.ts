import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { Doctor } from './doctor.service.js';

/** Looks across all modules, at what they hand in. */
@Module({ imports: [AuthModule], providers: [Doctor] })
export class DoctorModule {}
