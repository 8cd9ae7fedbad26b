import { Body, Controller, Get, HttpCode, Param, Post, Query, Res, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { type Caller, CurrentCaller, ForTokens, NotForTokens, ReadsBooks, Roles } from '../../auth/index.js';
import { LimitBody, Operation, PathIdPipe, QueryPipe, requestIdOf } from '../../http/index.js';
import { CloseBundleRequest, toExpectation } from './closing/close-bundle.request.js';
import { CloseBundlesAnswer, closeBundlesAnswer } from './closing/close-bundles.answer.js';
import { CloseBundlesRequest, MAX_BUNDLES } from './closing/close-bundles.request.js';
import { CloseBundles } from './closing/close-bundles.service.js';
import { ListBundlesRequest } from './list-bundles.request.js';
import { bundleFile } from './bundle-file.js';
import { BundleExport } from './bundle-export.service.js';
import { BundleDetails, BundleList } from './bundle-view.js';
import { Bundles } from './bundles.service.js';
import { BUNDLE_CHANGED, BUNDLE_NOT_FOUND } from './errors.js';
import { FINANCE } from '../ledger/index.js';

const CSV = 'text/csv';
const BUNDLE = { id: 'The bundleId.' };

/** The HTTP routes of bundles, for Finance. Auditors may read. */
@Controller('Api')
@Roles('Finance')
export class BundlesController {
  constructor(
    private readonly bundles: Bundles,
    private readonly bundleExport: BundleExport,
    private readonly closeBundles: CloseBundles,
  ) {}

  @Get('Bundles')
  @ReadsBooks()
  @ForTokens('read')
  @Operation({ group: FINANCE, id: 'ListBundles', summary: 'List bundles', answer: BundleList })
  async list(@Query(QueryPipe) filter: ListBundlesRequest): Promise<BundleList> {
    return { bundles: await this.bundles.list(filter) };
  }

  @Get('Bundles/:id')
  @ReadsBooks()
  @ForTokens('read')
  @Operation({
    group: FINANCE,
    id: 'ReadBundle',
    summary: 'Show a bundle, with its totals by fund and by type',
    answer: BundleDetails,
    failures: [BUNDLE_NOT_FOUND],
    parts: BUNDLE,
  })
  async show(@Param('id', PathIdPipe) bundleId: number): Promise<BundleDetails> {
    return this.bundles.show(bundleId);
  }

  @Get('Bundles/:id/export')
  @ReadsBooks()
  @ForTokens('read')
  @Operation({
    group: FINANCE,
    id: 'ExportBundle',
    summary: 'Export a bundle’s contributions as CSV',
    answer: CSV,
    failures: [BUNDLE_NOT_FOUND],
    parts: BUNDLE,
  })
  async export(
    @Param('id', PathIdPipe) bundleId: number,
    @CurrentCaller() { username }: Caller,
  ): Promise<StreamableFile> {
    return bundleFile(bundleId, await this.bundleExport.csv(bundleId, username));
  }

  @Post('Bundles/:id/close')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: FINANCE,
    id: 'CloseBundle',
    summary: 'Close a bundle permanently',
    description:
      'A closed bundle can never change or be opened again. Closing it again has no effect. Send the count and total that ' +
      'you compared with the bank: if the bundle differs, it stays open.',
    answer: BundleDetails,
    failures: [BUNDLE_NOT_FOUND, BUNDLE_CHANGED],
    parts: BUNDLE,
  })
  async close(
    @Param('id', PathIdPipe) bundleId: number,
    @Query(QueryPipe) expected: CloseBundleRequest,
    @CurrentCaller() { username: by }: Caller,
  ): Promise<BundleDetails> {
    return this.bundles.close({ bundleId, by, isExpected: toExpectation(expected) });
  }

  @Post('Bundles/close')
  @HttpCode(200)
  @NotForTokens()
  // Body, list, bundle: names of fields must not be repeated in any of them.
  @LimitBody({ maxKilobytes: 64, checkedLevels: 3 })
  @Operation({
    group: FINANCE,
    id: 'CloseBundles',
    summary: 'Close several bundles permanently',
    description:
      `Closes 1 to ${MAX_BUNDLES} bundles in the order given. Each is closed or refused by itself, as by CloseBundle, and has ` +
      'its own result. To repeat the call is safe: closing a closed bundle has no effect. If the whole call fails, some of ' +
      'the bundles may be closed.',
    answer: CloseBundlesAnswer,
  })
  async closeAll(
    @Body() { Bundles: bundles }: CloseBundlesRequest,
    @CurrentCaller() { username: by }: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CloseBundlesAnswer> {
    const commands = bundles.map(({ BundleId: bundleId, Count: count, Total: total }) => {
      return { bundleId, by, isExpected: toExpectation({ count, total }) };
    });
    const results = await this.closeBundles.close(commands);
    return closeBundlesAnswer(
      commands.map(({ bundleId }) => bundleId),
      results,
      requestIdOf(response),
    );
  }
}
