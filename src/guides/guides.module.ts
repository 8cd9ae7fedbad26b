import { Module } from '@nestjs/common';
import { PagesModule } from '../pages/index.js';
import { GuidePages } from './guide-pages.service.js';
import { GuidesController } from './guides.controller.js';

/** Pages of docs/ for the developers of donation processors, with the values of this church in the examples. */
@Module({ imports: [PagesModule], controllers: [GuidesController], providers: [GuidePages] })
export class GuidesModule {}
