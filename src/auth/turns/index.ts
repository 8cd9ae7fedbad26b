export { CallTurns } from './call-turns.service.js';
export { CallTurnsGuard } from './call-turns.guard.js';
