import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/index.js';
import { HttpModule } from '../../http/index.js';
import { BundlesController } from './bundles.controller.js';
import { BundleExport } from './bundle-export.service.js';
import { Bundles } from './bundles.service.js';

/** Bundles, which Finance compares with the bank and closes. */
@Module({
  imports: [AuthModule, HttpModule],
  controllers: [BundlesController],
  providers: [BundleExport, Bundles],
})
export class BundlesModule {}
