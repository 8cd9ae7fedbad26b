import { Get, Param, Post } from '@nestjs/common';
import { actorOf, type Caller, CurrentCaller, Page } from '../../../../auth/index.js';
import { PathIdPipe, type Query as Sent } from '../../../../http/index.js';
import {
  Confirmation,
  FormReader,
  goTo,
  NEW_FORM,
  type PageAnswer,
  PagesUnder,
  SentForm,
  type ShownForm,
  showPage,
} from '../../../../pages/index.js';
import type { ImportFile } from '../files/import-file.entity.js';
import { BookImportRequest } from '../requests.js';
import { Imports } from '../showing/imports.service.js';
import { counted, RowsAndTotal } from '../showing/outcome-parts.js';
import { StartRun } from './start-run.service.js';

const IMPORT = '/console/import';

/** Asks with figures before the gifts of a file are recorded. */
@PagesUnder('import')
@Page('Finance')
export class BookImportPages {
  constructor(
    private readonly imports: Imports,
    private readonly startRun: StartRun,
    private readonly forms: FormReader,
  ) {}

  @Get(':id/book')
  async confirm(@Param('id', PathIdPipe) importId: number): Promise<PageAnswer> {
    return confirmation(await this.imports.find(importId), NEW_FORM);
  }

  @Post(':id/book')
  async book(
    @Param('id', PathIdPipe) importId: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const reading = this.forms.read(BookImportRequest, sent);
    if (!reading.isValid) return confirmation(await this.imports.find(importId), NEW_FORM);
    try {
      await this.startRun.book(importId, reading.value.Revision, actorOf(caller));
    } catch (error) {
      return confirmation(await this.imports.find(importId), this.forms.refused(NEW_FORM, error));
    }
    return goTo(`${IMPORT}/${importId}`);
  }
}

function confirmation(file: ImportFile, { status, code, ...state }: ShownForm): PageAnswer {
  const { id, revision, outcome, options, state: now, forgottenAt } = file;
  const path = `${IMPORT}/${id}`;
  if (outcome === null || forgottenAt !== null || (now !== 'checked' && now !== 'stopped')) return goTo(path);
  return showPage({
    title: `Record the gifts of import ${id}`,
    ...(status !== undefined && { status }),
    ...(code !== undefined && { code }),
    content: (
      <Confirmation
        to={`${path}/book`}
        fields={{ Revision: String(revision) }}
        button={now === 'stopped' ? `Continue import ${id}` : 'Record the gifts'}
        back={path}
        state={state}
      >
        <p>
          <RowsAndTotal outcome={outcome} /> will be recorded as {options.username}, in the bundles of today.
          {outcome.reversed > 0 &&
            ` ${counted(outcome.reversed, 'gift', 'gifts')} will be taken back, and Finance will be notified.`}
          {outcome.newPeople > 0 && ` ${counted(outcome.newPeople, 'person', 'persons')} will be added.`}
          {outcome.refused > 0 && ` ${counted(outcome.refused, 'refused row', 'refused rows')} will not be recorded.`}
        </p>
        <p>
          Gifts cannot be deleted afterwards, only taken back one by one. If other gifts were recorded since the file
          was tried, the figures may differ. No gift is recorded twice.
        </p>
      </Confirmation>
    ),
  });
}
