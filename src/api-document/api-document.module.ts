import { Module } from '@nestjs/common';
import { ApiDocumentController } from './api-document.controller.js';
import { ApiDocument } from './api-document.service.js';

/** The API document, which is made from the routes of all modules, and the page that shows it. */
@Module({ controllers: [ApiDocumentController], providers: [ApiDocument] })
export class ApiDocumentModule {}
