import { Get, Param, Post } from '@nestjs/common';
import { actorOf, type Caller, CurrentCaller, Page } from '../../../../auth/index.js';
import { PathIdPipe } from '../../../../http/index.js';
import { Confirmation, goTo, type PageAnswer, PagesUnder, showPage } from '../../../../pages/index.js';
import { Imports } from '../showing/imports.service.js';
import { ForgetFiles, KEPT_DAYS } from './forget-files.service.js';

const IMPORT = '/console/import';

/** Deletes the content of an uploaded file. */
@PagesUnder('import')
@Page('Finance')
export class ForgetImportPages {
  constructor(
    private readonly imports: Imports,
    private readonly forgetFiles: ForgetFiles,
  ) {}

  @Get(':id/forget')
  async confirmForgetting(@Param('id', PathIdPipe) importId: number): Promise<PageAnswer> {
    const { forgottenAt } = await this.imports.find(importId);
    const path = `${IMPORT}/${importId}`;
    if (forgottenAt !== null) return goTo(path, 'The content is deleted already.');
    return showPage({
      title: `Delete the content of import ${importId}`,
      content: (
        <Confirmation to={`${path}/forget`} button="Delete the content" back={path}>
          <p>
            The file, its result and all names in it are deleted permanently. The gifts that it recorded stay in the
            books, and this import stays in the list with its figures. By itself this happens {KEPT_DAYS} days after the
            upload.
          </p>
        </Confirmation>
      ),
    });
  }

  @Post(':id/forget')
  async forget(@Param('id', PathIdPipe) importId: number, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    await this.forgetFiles.forget(importId, actorOf(caller));
    return goTo(`${IMPORT}/${importId}`, `The content of import ${importId} is deleted.`);
  }
}
