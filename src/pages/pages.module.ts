import { Module } from '@nestjs/common';
import { HttpModule } from '../http/index.js';
import { FailurePageMaker } from './failure-page-maker.service.js';
import { FormReader } from './forms/form-reader.service.js';
import { HomeParts } from './home-parts.js';
import { Navigation } from './navigation.js';
import { PageRenderer } from './page-renderer.service.js';
import { RenderPages } from './render-pages.interceptor.js';
import { ShownNames } from './shown-names.js';

/** The frame of the console's pages. Each module that has pages imports it. */
@Module({
  imports: [HttpModule],
  providers: [FailurePageMaker, FormReader, HomeParts, Navigation, PageRenderer, RenderPages, ShownNames],
  exports: [FormReader, HomeParts, Navigation, PageRenderer, RenderPages, ShownNames],
})
export class PagesModule {}
