import { Controller, Get, Param, Req, Res, type StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../auth/index.js';
import { Configuration, type HttpSettings } from '../config/index.js';
import { PathNotFoundError, publicAddress, sendCompressed } from '../http/index.js';
import { PAGE_HEADERS } from '../pages/index.js';
import { GuidePages } from './guide-pages.service.js';
import { type Guide, guideNamed } from './guides.js';

/**
 * A page has the address of the service as its caller has sent it. A cache that others share must not keep it: somebody could
 * fill it with a page that sends readers, and their passwords, to another host.
 */
const BRIEFLY_IN_A_BROWSER = 'private, max-age=300';

/** The guides. Public, because a developer reads them before there are credentials, and nothing in them is confidential. */
@Controller('guides')
@Public()
export class GuidesController {
  private readonly settings: HttpSettings;

  constructor(
    private readonly pages: GuidePages,
    configuration: Configuration,
  ) {
    this.settings = configuration.http;
  }

  @Get()
  list(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<StreamableFile> {
    return this.send(undefined, request, response);
  }

  @Get(':name')
  show(
    @Param('name') name: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    const guide = guideNamed(name);
    if (guide === undefined) throw new PathNotFoundError();
    return this.send(guide, request, response);
  }

  private async send(guide: Guide | undefined, request: Request, response: Response): Promise<StreamableFile> {
    const page = await this.pages.at(guide, request.path.endsWith('/'), publicAddress(request, this.settings));
    response.setHeaders(new Map(Object.entries(PAGE_HEADERS)));
    response.setHeader('Cache-Control', BRIEFLY_IN_A_BROWSER);
    return sendCompressed(page, request, response);
  }
}
