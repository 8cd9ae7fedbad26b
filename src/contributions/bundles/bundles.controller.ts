import { Controller, Get, HttpCode, Logger, Param, Post, Query, StreamableFile } from '@nestjs/common';
import { type Caller, CurrentCaller, Roles } from '../../auth/index.js';
import { describeError } from '../../database/index.js';
import { QueryPipe } from '../../http/index.js';
import { BundleFilterPipe } from '../dto/bundle-filter.pipe.js';
import { CloseBundleRequest, toExpectation } from '../dto/close-bundle.request.js';
import { PathIdPipe } from '../dto/path-parameters.js';
import { BundleExport } from './bundle-export.service.js';
import type { BundleDetails, BundleView } from './bundle-view.js';
import { type BundleFilter, Bundles } from './bundles.service.js';

/** What Finance does with bundles over HTTP. */
@Controller('Api')
@Roles('Finance')
export class BundlesController {
  private readonly logger = new Logger('Bundles');

  constructor(
    private readonly bundles: Bundles,
    private readonly bundleExport: BundleExport,
  ) {}

  @Get('Bundles')
  async list(@Query(BundleFilterPipe) filter: BundleFilter): Promise<{ bundles: BundleView[] }> {
    return { bundles: await this.bundles.list(filter) };
  }

  @Get('Bundles/:id')
  async show(@Param('id', PathIdPipe) bundleId: number): Promise<BundleDetails> {
    return this.bundles.show(bundleId);
  }

  @Get('Bundles/:id/export')
  async export(@Param('id', PathIdPipe) bundleId: number): Promise<StreamableFile> {
    const csv = await this.bundleExport.csv(bundleId);
    const disposition = `attachment; filename="bundle-${bundleId}.csv"`;
    const note = (error: Error): void => {
      this.logger.warn(`Bundle ${bundleId} was not exported whole: ${describeError(error)}`);
    };
    return new StreamableFile(csv, { type: 'text/csv; charset=utf-8', disposition })
      .setErrorLogger(note)
      .setErrorHandler((error, response) => {
        note(error);
        // Nest's own handler would make an answer of it that looks like the caller's fault, a 400.
        response.destroy?.();
      });
  }

  @Post('Bundles/:id/close')
  @HttpCode(200)
  async close(
    @Param('id', PathIdPipe) bundleId: number,
    @Query(QueryPipe) expected: CloseBundleRequest,
    @CurrentCaller() { username }: Caller,
  ): Promise<BundleDetails> {
    return this.bundles.close(bundleId, username, toExpectation(expected));
  }
}
