import { Get, Param, Query } from '@nestjs/common';
import { BOOK_READERS, type Caller, CurrentCaller, Page } from '../../../auth/index.js';
import { PathIdPipe, type Query as Sent } from '../../../http/index.js';
import { FormReader, type PageAnswer, PagesUnder, Pagination, showPage } from '../../../pages/index.js';
import { Bundles } from '../../bundles/index.js';
import { ListContributionsRequest, toFilterAndPage } from '../listing/list-contributions.request.js';
import { ListContributions } from '../listing/list-contributions.service.js';
import { BundleActions, BundleFacts, BundleSums, EntryTable } from './bundle-page-parts.js';

/** The page of a bundle, with its entries. The list of bundles, and closing them, belong to the bundles. */
@PagesUnder('bundles')
export class BundlePage {
  constructor(
    private readonly bundles: Bundles,
    private readonly contributions: ListContributions,
    private readonly forms: FormReader,
  ) {}

  /** The reading of the entries is recorded. */
  @Get(':id')
  @Page(...BOOK_READERS)
  async show(
    @Param('id', PathIdPipe) bundleId: number,
    @Query() { after = '' }: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const bundle = await this.bundles.show(bundleId);
    const reading = this.forms.read(ListContributionsRequest, { bundleId: String(bundleId), after });
    const request = reading.isValid ? reading.value : { bundleId };
    const entries = await this.contributions.pageFor(caller, ...toFilterAndPage(request));
    const path = `/console/bundles/${bundleId}`;
    return showPage({
      title: `Bundle ${bundleId}`,
      actions: <BundleActions bundle={bundle} mayClose={caller.roles.has('Finance')} />,
      content: (
        <>
          <BundleFacts bundle={bundle} />
          <BundleSums bundle={bundle} />
          <EntryTable bundle={bundle} entries={entries.contributions} />
          <Pagination
            to={path}
            query={{}}
            next={entries.more ? { after: entries.next } : undefined}
            isLater={reading.isValid && after !== ''}
          />
        </>
      ),
    });
  }
}
