import type { Server } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import type { HttpSettings } from './config/index.js';
import {
  answerUnreadable,
  CrossSiteRequestError,
  DeclaredInputGuard,
  foreignHeader,
  giveRequestId,
  parseQuery,
  RequestObserver,
  setSecurityHeaders,
} from './http/index.js';

/** Options with which the application is created; no body parser: it would run before the guards. */
export const APP_OPTIONS = { bodyParser: false } satisfies NestApplicationOptions;

/** HTTP behaviour that is not a route's: what every answer carries, paths, proxies and time limits. */
export function setUpApp(app: NestExpressApplication, settings: HttpSettings): void {
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', parseQuery);
  if (settings.trustProxy !== undefined) app.set('trust proxy', settings.trustProxy);
  const observer = app.get(RequestObserver);
  app.use((request: Request, response: Response, next: NextFunction) => {
    giveRequestId(request, response);
    observer.watch(request, response);
    setSecurityHeaders(response);
    const foreign = foreignHeader(request, settings.publicUrl);
    next(foreign === undefined ? undefined : new CrossSiteRequestError(foreign));
  });
  if (settings.basePath !== '') app.use(withoutBasePath(settings.basePath));
  // Behind the guards of access, which are providers and so come first.
  app.useGlobalGuards(new DeclaredInputGuard());
  const server: Server = app.getHttpServer();
  setTimeLimits(server);
  answerUnreadable(server);
}

/**
 * Takes the path in front of /Api off again, as a proxy would. Routes know nothing of it, so that it changes neither
 * what they are nor what is answered where there is none.
 */
function withoutBasePath(basePath: string): (request: Request, response: Response, next: NextFunction) => void {
  return (request, _response, next) => {
    const front = request.url.slice(0, basePath.length + 1).toLowerCase();
    if (front === `${basePath.toLowerCase()}/`) request.url = request.url.slice(basePath.length);
    next();
  };
}

function setTimeLimits(server: Server): void {
  server.headersTimeout = 20_000;
  server.requestTimeout = 30_000;
  // Longer than a proxy keeps its own idle connections, so that it never sends into one that we close.
  server.keepAliveTimeout = 75_000;
}
