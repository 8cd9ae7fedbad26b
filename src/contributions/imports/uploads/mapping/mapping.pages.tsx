import { Get, Param, Post } from '@nestjs/common';
import { actorOf, type Caller, CurrentCaller, Page } from '../../../../auth/index.js';
import { Church } from '../../../../config/index.js';
import { PathIdPipe, type Query as Sent } from '../../../../http/index.js';
import {
  FormReader,
  goTo,
  NEW_FORM,
  type PageAnswer,
  PagesUnder,
  type RefusedForm,
  SentForm,
} from '../../../../pages/index.js';
import { FileNotUsableError } from '../errors.js';
import { StartRun } from '../running/start-run.service.js';
import { Imports } from '../showing/imports.service.js';
import { readMappingForm } from './mapping-form.js';
import { MappingPage } from './mapping-page.service.js';

const IMPORT = '/console/import';

/** How the columns of an uploaded file are read, and the dry run. */
@PagesUnder('import')
@Page('Finance')
export class MappingPages {
  constructor(
    private readonly imports: Imports,
    private readonly startRun: StartRun,
    private readonly page: MappingPage,
    private readonly church: Church,
    private readonly forms: FormReader,
  ) {}

  @Get(':id/mapping')
  async mapping(@Param('id', PathIdPipe) importId: number, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    const file = await this.imports.show(importId, actorOf(caller));
    if (file.state !== 'new' && file.state !== 'checked') return goTo(`${IMPORT}/${importId}`);
    return this.page.show(file, NEW_FORM);
  }

  @Post(':id/check')
  async check(
    @Param('id', PathIdPipe) importId: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const by = actorOf(caller);
    const file = await this.imports.find(importId);
    const path = `${IMPORT}/${importId}`;
    if (file.found === null) return goTo(path, 'The content of this import was deleted.');
    const { options, faults, isOtherFormat } = readMappingForm(sent, file.found, file.options, this.church);
    const typed = Object.fromEntries(
      Object.entries(sent).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    );
    if (faults.length > 0) {
      return this.page.show(file, { typed, faults, status: 400, code: 'invalid_request' });
    }
    try {
      if (isOtherFormat) {
        await this.startRun.choose(importId, options);
        return goTo(`${path}/mapping`, 'Look at the columns again: they are read in another way now.');
      }
      await this.startRun.check(importId, options, by);
      return goTo(path);
    } catch (error) {
      const refused = this.forms.refused({ typed, faults }, error);
      return this.page.show(Object.assign(file, { options }), besideTheFields(refused, error));
    }
  }
}

/** The page lists what is to be decided, so it is not said twice. The source has a field. */
function besideTheFields({ message, ...form }: RefusedForm, error: unknown): RefusedForm {
  if (!(error instanceof FileNotUsableError) || error.columns === undefined)
    return { ...form, ...(message !== undefined && { message }) };
  const { missing, undecided, faults: others } = error.columns;
  if (missing.includes('Source')) {
    const fault = { field: 'source', message: 'is required: say where these gifts come from' };
    if (missing.length + undecided.length + others.length === 1) return { ...form, faults: [fault] };
    return { ...form, faults: [fault], message: STILL_OPEN };
  }
  return { ...form, message: STILL_OPEN };
}

const STILL_OPEN = 'The file cannot be tried yet. Decide first what is listed here.';
