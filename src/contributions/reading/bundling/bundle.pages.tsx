import { Get, Param, Query } from '@nestjs/common';
import { BOOK_READERS, type Caller, CurrentCaller, Page } from '../../../auth/index.js';
import { PathIdPipe, type Query as Sent } from '../../../http/index.js';
import { FormReader, type PageAnswer, PagesUnder, Pagination, showPage } from '../../../pages/index.js';
import { PersonRecords } from '../../../people/index.js';
import { BundleRemarks, Bundles, RemarksOfBundle } from '../../bundles/index.js';
import { ListContributionsRequest, toFilterAndPage } from '../listing/list-contributions.request.js';
import { ListContributions } from '../listing/list-contributions.service.js';
import { EntryTable } from '../entry-table.js';
import { BundleActions, BundleFacts, BundleSums } from './bundle-page-parts.js';

/** The page of a bundle, with its entries. The list of bundles, and closing them, belong to the bundles. */
@PagesUnder('bundles')
export class BundlePage {
  constructor(
    private readonly bundles: Bundles,
    private readonly remarks: BundleRemarks,
    private readonly contributions: ListContributions,
    private readonly persons: PersonRecords,
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
    const names = await this.persons.namesOf(entries.contributions.map(({ peopleId }) => peopleId));
    const remarks = bundle.status === 'Open' ? await this.remarks.of([bundleId]) : undefined;
    const path = `/console/bundles/${bundleId}`;
    return showPage({
      title: `Bundle ${bundleId}`,
      actions: <BundleActions bundle={bundle} mayClose={caller.roles.has('Finance')} />,
      content: (
        <>
          <RemarksOfBundle remarks={remarks?.get(bundleId) ?? []} />
          <BundleFacts bundle={bundle} />
          <BundleSums bundle={bundle} />
          <h2 id="entries">Entries</h2>
          <EntryTable
            caption="Entries of the bundle"
            entries={entries.contributions}
            funds={new Map(bundle.byFund.map(({ fundId, fund }) => [fundId, fund]))}
            names={names}
          />
          <Pagination
            to={path}
            query={{}}
            at="entries"
            next={entries.more ? { after: entries.next } : undefined}
            isLater={reading.isValid && after !== ''}
          />
        </>
      ),
    });
  }
}
