import { Controller, Get, Header, Param, Req, Res, StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { Public } from '../auth/index.js';
import { Configuration, type HttpSettings, type Mode } from '../config/index.js';
import { Compressible, PathNotFoundError, publicAddress, sendCompressed } from '../http/index.js';
import { ApiDocument } from './api-document.service.js';
import { pageFile, PAGE_POLICY, pageHtml } from './page.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** A file has another address when its content changes. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** The API document, and a page to read it and try the API out. Public, because nothing in it is confidential. */
@Controller()
@Public()
export class ApiDocumentController {
  private readonly settings: HttpSettings;
  private readonly mode: Mode;
  /** The documents by version and address. Callers choose the address by their Host header, so only a few are kept. */
  private readonly documents = new LRUCache<string, Compressible>({ max: 8 });

  constructor(
    private readonly document: ApiDocument,
    configuration: Configuration,
  ) {
    this.settings = configuration.http;
    this.mode = configuration.mode;
  }

  @Get('openapi.json')
  openApi(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<StreamableFile> {
    return this.sendDocument('3.1', request, response, (address) => this.document.at(address));
  }

  @Get('openapi-3.0.json')
  openApi30(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<StreamableFile> {
    return this.sendDocument('3.0', request, response, (address) => this.document.in30At(address));
  }

  @Get('docs')
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', PAGE_POLICY)
  page(@Req() request: Request): string {
    // Relative addresses depend on whether the page's own address ends with a slash.
    return pageHtml(request.path.endsWith('/') ? '.' : './docs', this.mode);
  }

  @Get('docs/:file')
  async file(
    @Param('file') name: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    const file = pageFile(name);
    if (file === undefined) throw new PathNotFoundError();
    response.setHeader('Cache-Control', FOR_EVER);
    return sendCompressed(file, request, response);
  }

  private sendDocument(
    version: string,
    request: Request,
    response: Response,
    make: (address: string) => object,
  ): Promise<StreamableFile> {
    // Relative for a request without a usable Host header.
    const address = publicAddress(request, this.settings) ?? (this.settings.basePath || '/');
    const key = `${version} ${address}`;
    const document = this.documents.get(key) ?? new Compressible(Buffer.from(JSON.stringify(make(address))), JSON_TYPE);
    this.documents.set(key, document);
    return sendCompressed(document, request, response);
  }
}
