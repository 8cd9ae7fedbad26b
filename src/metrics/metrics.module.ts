import { Global, Module } from '@nestjs/common';
import { LimitWatch } from './limit-watch.js';
import { MetricsServer } from './metrics-server.js';
import { Metrics } from './metrics.js';

/** The metrics of this process. Global, so that any module can add its own. */
@Global()
@Module({ providers: [LimitWatch, Metrics, MetricsServer], exports: [LimitWatch, Metrics, MetricsServer] })
export class MetricsModule {}
