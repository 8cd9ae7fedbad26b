import { Body, Controller, Get, HttpCode, Param, Post, Query, StreamableFile } from '@nestjs/common';
import {
  actorOf,
  type Caller,
  CurrentCaller,
  ForTokens,
  NotForTokens,
  ReadsBooks,
  Roles,
} from '../../../auth/index.js';
import {
  FileOfRequest,
  InvalidRequestError,
  LimitBody,
  MAX_FILE_MEGABYTES,
  Operation,
  PathIdPipe,
  QueryPipe,
  type SentFile,
  TakesFile,
} from '../../../http/index.js';
import { FINANCE } from '../../ledger/index.js';
import { FILE_NOT_USABLE, IMPORT_CHANGED, IMPORT_NOT_FOUND, IMPORT_WITHOUT_RESULT } from './errors.js';
import { ForgetFiles, KEPT_DAYS } from './files/forget-files.service.js';
import { UploadFile } from './files/upload-file.service.js';
import { BookImportRequest, CheckImportRequest, ListImportsRequest, UploadRequest } from './requests.js';
import { StartRun } from './running/start-run.service.js';
import { ImportDetails, importDetails, ImportList, ImportView, importView } from './showing/import-view.js';
import { Imports } from './showing/imports.service.js';
import { resultFile } from './showing/result-download.js';

const IMPORT = { id: 'The importId.' };

/** The HTTP routes of imports, for Finance. Auditors may read. */
@Controller('Api')
@Roles('Finance')
export class ImportsController {
  constructor(
    private readonly imports: Imports,
    private readonly uploadFile: UploadFile,
    private readonly startRun: StartRun,
    private readonly forgetFiles: ForgetFiles,
  ) {}

  @Get('Imports')
  @ReadsBooks()
  @ForTokens('read')
  @Operation({ group: FINANCE, id: 'ListImports', summary: 'List imports of files', answer: ImportList })
  async list(@Query(QueryPipe) { before }: ListImportsRequest): Promise<ImportList> {
    return { imports: (await this.imports.list(before)).map(importView) };
  }

  @Get('Imports/:id')
  @ReadsBooks()
  @ForTokens('read')
  @Operation({
    group: FINANCE,
    id: 'ReadImport',
    summary: 'Show an import: its state, progress and outcome',
    answer: ImportDetails,
    failures: [IMPORT_NOT_FOUND],
    parts: IMPORT,
  })
  async show(@Param('id', PathIdPipe) importId: number, @CurrentCaller() caller: Caller): Promise<ImportDetails> {
    return importDetails(await this.imports.show(importId, actorOf(caller)));
  }

  @Get('Imports/:id/result')
  @ReadsBooks()
  @ForTokens('read')
  @Operation({
    group: FINANCE,
    id: 'ReadImportResult',
    summary: 'The result of each row as CSV',
    description: 'Of the last dry run, or of the import. The columns are those of the command line.',
    answer: 'text/csv',
    failures: [IMPORT_NOT_FOUND, IMPORT_WITHOUT_RESULT],
    parts: IMPORT,
  })
  async result(@Param('id', PathIdPipe) importId: number, @CurrentCaller() caller: Caller): Promise<StreamableFile> {
    return resultFile(importId, await this.imports.result(importId, actorOf(caller)));
  }

  @Post('Imports')
  @HttpCode(200)
  @NotForTokens()
  @TakesFile()
  @Operation({
    group: FINANCE,
    id: 'UploadImport',
    summary: 'Upload a file of gifts',
    description:
      `The body is a CSV file of at most ${MAX_FILE_MEGABYTES} MB. Nothing of it is recorded: the answer proposes how its ` +
      `columns are read. The content is kept for ${KEPT_DAYS} days.`,
    answer: ImportDetails,
    failures: [FILE_NOT_USABLE],
  })
  async upload(
    @Query(QueryPipe) { user: username, source, name }: UploadRequest,
    @FileOfRequest() file: SentFile | undefined,
    @CurrentCaller() caller: Caller,
  ): Promise<ImportDetails> {
    if (file === undefined) throw new InvalidRequestError('The body must be a file.');
    const by = actorOf(caller);
    const importId = await this.uploadFile.upload({ file, name, username, source, by });
    return importDetails(await this.imports.show(importId, by));
  }

  @Post('Imports/:id/check')
  @HttpCode(200)
  @NotForTokens()
  // Body, mapping, and the objects in it.
  @LimitBody({ maxKilobytes: 64, checkedLevels: 3 })
  @Operation({
    group: FINANCE,
    id: 'CheckImport',
    summary: 'Try an import without recording anything',
    description:
      'The dry run goes on after the answer. Read the import until its state is checked, or new with a `problem`.',
    answer: ImportView,
    failures: [IMPORT_NOT_FOUND, IMPORT_CHANGED, FILE_NOT_USABLE],
    parts: IMPORT,
  })
  async check(
    @Param('id', PathIdPipe) importId: number,
    @Body() request: CheckImportRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<ImportView> {
    const { options } = await this.imports.find(importId);
    const { User, Source, Format = options.format, Mapping, WithoutContacts } = request;
    const chosen = {
      username: User ?? options.username,
      source: Source ?? options.source,
      format: Format === 'none' ? null : Format,
      mapping: Mapping ?? options.mapping,
      withoutContacts: WithoutContacts ?? options.withoutContacts,
    };
    await this.startRun.check(importId, chosen, actorOf(caller));
    return importView(await this.imports.find(importId));
  }

  @Post('Imports/:id/book')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: FINANCE,
    id: 'BookImport',
    summary: 'Record the gifts of a file that was tried',
    description:
      'The import goes on after the answer. Read it until its state is booked, or stopped with a `problem`; then book it ' +
      'again to continue. To repeat the call is safe: each row is recorded once.',
    answer: ImportView,
    failures: [IMPORT_NOT_FOUND, IMPORT_CHANGED],
    parts: IMPORT,
  })
  async book(
    @Param('id', PathIdPipe) importId: number,
    @Body() { Revision: revision }: BookImportRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<ImportView> {
    await this.startRun.book(importId, revision, actorOf(caller));
    return importView(await this.imports.find(importId));
  }

  @Post('Imports/:id/forget')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: FINANCE,
    id: 'ForgetImport',
    summary: 'Delete the content of an import',
    description: 'Deletes the file, its result and all that names persons. What was recorded stays in the books.',
    answer: ImportView,
    failures: [IMPORT_NOT_FOUND, IMPORT_CHANGED],
    parts: IMPORT,
  })
  async forget(@Param('id', PathIdPipe) importId: number, @CurrentCaller() caller: Caller): Promise<ImportView> {
    await this.forgetFiles.forget(importId, actorOf(caller));
    return importView(await this.imports.find(importId));
  }
}
