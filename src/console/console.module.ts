import { Module } from '@nestjs/common';
import { PagesModule } from '../pages/index.js';
import { FrontController } from './front.controller.js';
import { HomePages } from './home.pages.js';

/** The page at "/", the home page of the console, and the files that pages load. */
@Module({ imports: [PagesModule], controllers: [FrontController, HomePages] })
export class ConsoleModule {}
