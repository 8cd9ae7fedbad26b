import { Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { FailurePages } from './problems/failure-pages.js';
import { ProblemFilter } from './problems/problem.filter.js';
import { ChurchDay } from './requests/church-day.service.js';
import { RequestBodyPipe } from './requests/request-body.pipe.js';
import { RequestReader } from './requests/request-reader.js';
import { StockDecorators } from './requests/stock-decorators.js';
import { RequestMetrics } from './observing/request-metrics.js';
import { RequestObserver } from './observing/request-observer.js';

/** Reads the bodies of all routes and answers their failures. */
@Module({
  providers: [
    ChurchDay,
    FailurePages,
    RequestReader,
    RequestMetrics,
    RequestObserver,
    StockDecorators,
    { provide: APP_FILTER, useClass: ProblemFilter },
    { provide: APP_PIPE, useClass: RequestBodyPipe },
  ],
  exports: [ChurchDay, FailurePages, RequestReader],
})
export class HttpModule {}
