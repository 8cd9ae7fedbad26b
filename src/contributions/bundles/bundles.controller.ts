import { Controller, Get, HttpCode, Param, Post, Query, StreamableFile } from '@nestjs/common';
import { type Caller, CurrentCaller, Roles } from '../../auth/index.js';
import { Operation, QueryPipe } from '../../http/index.js';
import { ListBundlesRequest } from '../dto/list-bundles.request.js';
import { PathIdPipe } from '../dto/path-parameters.js';
import { BundleExport } from './bundle-export.service.js';
import { BundleDetails, BundleList } from './bundle-view.js';
import { Bundles } from './bundles.service.js';

const CSV = 'text/csv';
const BUNDLE = { id: 'The bundleId.' };

/** What Finance does with bundles over HTTP. */
@Controller('Api')
@Roles('Finance')
export class BundlesController {
  constructor(
    private readonly bundles: Bundles,
    private readonly bundleExport: BundleExport,
  ) {}

  @Get('Bundles')
  @Operation({ group: 'Finance', id: 'ListBundles', summary: 'List bundles', answer: BundleList })
  async list(@Query(QueryPipe) filter: ListBundlesRequest): Promise<BundleList> {
    return { bundles: await this.bundles.list(filter) };
  }

  @Get('Bundles/:id')
  @Operation({
    group: 'Finance',
    id: 'ReadBundle',
    summary: 'Show one, with its totals by fund and by type',
    answer: BundleDetails,
    failures: ['bundle_not_found'],
    parts: BUNDLE,
  })
  async show(@Param('id', PathIdPipe) bundleId: number): Promise<BundleDetails> {
    return this.bundles.show(bundleId);
  }

  @Get('Bundles/:id/export')
  @Operation({
    group: 'Finance',
    id: 'ExportBundle',
    summary: 'Its contributions as CSV, for a spreadsheet',
    answer: CSV,
    failures: ['bundle_not_found'],
    parts: BUNDLE,
  })
  async export(@Param('id', PathIdPipe) bundleId: number): Promise<StreamableFile> {
    const csv = await this.bundleExport.csv(bundleId);
    const disposition = `attachment; filename="bundle-${bundleId}.csv"`;
    return new StreamableFile(csv, { type: `${CSV}; charset=utf-8`, disposition });
  }

  @Post('Bundles/:id/close')
  @HttpCode(200)
  @Operation({
    group: 'Finance',
    id: 'CloseBundle',
    summary: 'Close one, for good',
    description: 'What it holds can never change again. One that is closed already stays as it is.',
    answer: BundleDetails,
    failures: ['bundle_not_found'],
    parts: BUNDLE,
  })
  async close(
    @Param('id', PathIdPipe) bundleId: number,
    @CurrentCaller() { username }: Caller,
  ): Promise<BundleDetails> {
    return this.bundles.close(bundleId, username);
  }
}
