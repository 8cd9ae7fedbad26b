import { Controller, Get, Param, Res, StreamableFile, UseInterceptors } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../auth/index.js';
import { PathNotFoundError } from '../http/index.js';
import { assetFile, Link, type PageAnswer, RenderPages, showPage } from '../pages/index.js';

/** A file has another address when its content changes. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** What everybody may see: the page at "/", and the files that pages load. */
@Controller()
@Public()
export class FrontController {
  @Get()
  @UseInterceptors(RenderPages)
  front(): PageAnswer {
    return showPage({
      title: 'Welcome',
      content: (
        <>
          <p>Offertory records the gifts of this church.</p>
          <ul class="doors">
            <li>
              <Link to="/console">The console</Link> is for the people who keep the books.
            </li>
            <li>
              <Link to="/guides">The guides</Link> are for developers of donation processors. They show how to use the
              API.
            </li>
            <li>
              <Link to="/docs">The API</Link> is for their programs: all calls, to try.
            </li>
          </ul>
        </>
      ),
    });
  }

  @Get('console/assets/:file')
  asset(@Param('file') name: string, @Res({ passthrough: true }) response: Response): StreamableFile {
    const file = assetFile(name);
    if (file === undefined) throw new PathNotFoundError();
    response.setHeader('Cache-Control', FOR_EVER);
    return new StreamableFile(file.content, { type: file.type });
  }
}
