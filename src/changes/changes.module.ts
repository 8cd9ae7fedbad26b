import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { HttpModule } from '../http/index.js';
import { ChangesController } from './changes.controller.js';

/** The audit trail over HTTP. Apart from audit/, which auth uses and which therefore cannot use auth. */
@Module({
  imports: [AuthModule, HttpModule],
  controllers: [ChangesController],
})
export class ChangesModule {}
