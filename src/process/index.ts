export { endOnUncaughtErrors } from './end-on-uncaught-errors.js';
export { explainStartFault } from './explain-start-fault.js';
export { type StopRequests, stopRequests } from './stop-requests.js';
