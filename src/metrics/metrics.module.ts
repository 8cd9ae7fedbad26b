import { Global, Module } from '@nestjs/common';
import { MetricsServer } from './metrics-server.js';
import { Metrics } from './metrics.js';

/** The metrics of this process. Global, so that any module can add its own. */
@Global()
@Module({ providers: [Metrics, MetricsServer], exports: [Metrics, MetricsServer] })
export class MetricsModule {}
