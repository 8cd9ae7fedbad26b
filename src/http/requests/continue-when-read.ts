import type { IncomingMessage, ServerResponse } from 'node:http';

const READING_EVENTS = new Set<string | symbol>(['data', 'readable']);

/**
 * Answers `Expect: 100-continue` with 100 when somebody begins to read the body. That is after the guards of access and the
 * check of Content-Length, so a caller whose request is refused does not send its body. Node by itself answers at once.
 */
export function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  const onListener = (event: string | symbol): void => {
    if (!READING_EVENTS.has(event)) return;
    request.off('newListener', onListener);
    if (!response.headersSent) response.writeContinue();
  };
  request.on('newListener', onListener);
}
