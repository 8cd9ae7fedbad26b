import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';

/**
 * Nest's adapter, with requests and answers that Node makes as Express's own. Express gives both another prototype when
 * they come in; whatever reads or sets a property of them then is slow for as long as they live, since to V8 each is an
 * object of a shape never seen before (ADR 23). Where they have that prototype already, nothing happens.
 */
export class PrototypedExpressAdapter extends ExpressAdapter {
  override initHttpServer(options: NestApplicationOptions): void {
    if (options.httpsOptions !== undefined || options.forceCloseConnections === true)
      throw new Error('httpsOptions and forceCloseConnections would be those of a server that is not used');
    super.initHttpServer(options);
    const express = this.getInstance<Express>();
    class Request extends IncomingMessage {}
    class Response extends ServerResponse {}
    Object.setPrototypeOf(Request.prototype, express.request);
    Object.setPrototypeOf(Response.prototype, express.response);
    express.request = Request.prototype as Express['request'];
    express.response = Response.prototype as Express['response'];
    // Nest's own does not listen yet, and is forgotten.
    this.httpServer = createServer({ IncomingMessage: Request, ServerResponse: Response }, express);
  }
}
