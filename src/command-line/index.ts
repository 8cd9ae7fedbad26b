export { isClosedPipe, outliveClosedPipes } from './closed-pipe.js';
export { confirm, withConfirmation } from './confirm.js';
export { dayArgument } from './day-argument.js';
export { idArgument, idArguments } from './id-argument.js';
export { isJson, print, withJson } from './output.js';
export { Progress } from './progress.js';
export type { RunWith } from './run-with.js';
export { readStandardInput } from './standard-input.js';
export { partial, writeWhole } from './whole-file.js';
