import { Controller, Get, Header, Param, Req, StreamableFile } from '@nestjs/common';
import type { Request } from 'express';
import { Public } from '../auth/index.js';
import { PathNotFoundError } from '../http/index.js';
import { ApiDocument } from './api-document.service.js';
import type { OpenApi } from './openapi.js';
import { pageFile, PAGE_POLICY, pageHtml } from './page.js';

/** The API document, and a page to read it and try the API out. Public, because nothing in it is confidential. */
@Controller()
@Public()
export class ApiDocumentController {
  constructor(private readonly document: ApiDocument) {}

  @Get('openapi.json')
  openApi(): OpenApi {
    return this.document.get();
  }

  @Get('docs')
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', PAGE_POLICY)
  page(@Req() request: Request): string {
    // Relative addresses depend on whether the page's own address ends with a slash.
    return pageHtml(request.path.endsWith('/') ? '.' : './docs');
  }

  @Get('docs/:file')
  file(@Param('file') name: string): StreamableFile {
    const file = pageFile(name);
    if (file === undefined) throw new PathNotFoundError();
    return new StreamableFile(file.content, { type: file.type });
  }
}
