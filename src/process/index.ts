export { endOnUncaughtErrors } from './end-on-uncaught-errors.js';
export { explainStartFault } from './explain-start-fault.js';
export { stopRequests } from './stop-requests.js';
