import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { HttpModule } from '../http/index.js';
import { PagesModule } from '../pages/index.js';
import { ChangesController } from './changes.controller.js';
import { ChangesPages } from './changes.pages.js';

/** The audit trail over HTTP, and its page. Apart from audit/, which auth uses and which therefore cannot use auth. */
@Module({
  imports: [AuthModule, HttpModule, PagesModule],
  controllers: [ChangesController, ChangesPages],
})
export class ChangesModule {}
