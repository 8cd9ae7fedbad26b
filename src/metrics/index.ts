export { LimitWatch } from './limit-watch.js';
export { MetricsModule } from './metrics.module.js';
export { MetricsServer } from './metrics-server.js';
export { Metrics } from './metrics.js';
