import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/index.js';
import { HttpModule } from '../../http/index.js';
import { PagesModule } from '../../pages/index.js';
import { BundleRemarks } from './bundle-remarks.service.js';
import { BundleTasks } from './bundle-tasks.js';
import { BundlePages } from './bundles.pages.js';
import { BundlesController } from './bundles.controller.js';
import { BundleExport } from './bundle-export.service.js';
import { CloseBundles } from './closing/close-bundles.service.js';
import { Bundles } from './bundles.service.js';

/** Bundles, which Finance compares with the bank and closes. */
@Module({
  imports: [AuthModule, HttpModule, PagesModule],
  controllers: [BundlesController, BundlePages],
  providers: [BundleExport, BundleRemarks, Bundles, BundleTasks, CloseBundles],
  exports: [BundleRemarks, Bundles, CloseBundles],
})
export class BundlesModule {}
