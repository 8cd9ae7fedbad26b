import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Response } from 'express';
import { closeAfterEarlyAnswer } from './early-answer.js';
import { handled, noteStream, type RouteHandler } from './observing/handled-requests.js';

/**
 * Nest's adapter, but Node creates requests and responses with Express's prototypes. Express otherwise changes the
 * prototype of each one when it arrives, and V8 makes every access to its properties slow (ADR 23). It also notes when the
 * work on a request has ended, which no event of Node tells ({@link handled}), and sees the head of each answer before it is
 * sent ({@link closeAfterEarlyAnswer}).
 */
export class PrototypedExpressAdapter extends ExpressAdapter {
  override initHttpServer(options: NestApplicationOptions): void {
    if (options.httpsOptions !== undefined || options.forceCloseConnections === true)
      throw new Error('httpsOptions and forceCloseConnections have no effect: Nest’s server is not used');
    super.initHttpServer(options);
    const express = this.getInstance<Express>();
    class Request extends IncomingMessage {}
    class Response extends ServerResponse {
      override writeHead(...head: [statusCode: number, ...unknown[]]): this {
        closeAfterEarlyAnswer(this);
        return super.writeHead(...(head as [number]));
      }
    }
    Object.setPrototypeOf(Request.prototype, express.request);
    Object.setPrototypeOf(Response.prototype, express.response);
    express.request = Request.prototype as Express['request'];
    express.response = Response.prototype as Express['response'];
    // Replaces Nest's server, which does not listen yet.
    this.httpServer = createServer(
      {
        IncomingMessage: Request,
        ServerResponse: Response,
        // How often Node looks for requests that take too long. With its 30 seconds, a limit of 20 could mean 50.
        connectionsCheckingInterval: 5_000,
      },
      express,
    );
  }

  override get(path: string | RouteHandler, handler?: RouteHandler): unknown {
    if (typeof path !== 'string' || handler === undefined) throw new Error('A route has a path and a handler');
    return super.get(path, handled(handler)) as unknown;
  }

  override post(path: string | RouteHandler, handler?: RouteHandler): unknown {
    if (typeof path !== 'string' || handler === undefined) throw new Error('A route has a path and a handler');
    return super.post(path, handled(handler)) as unknown;
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    noteStream(response, body);
    return super.reply(response, body, statusCode) as unknown;
  }
}
