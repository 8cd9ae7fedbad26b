import { ArgumentsHost, Catch, ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Application, Request, Response } from 'express';
import { describeError, isDatabaseUnavailable } from '../../database/index.js';
import { allowedMethods } from '../allowed-methods.js';
import {
  DATABASE_UNAVAILABLE,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  METHOD_NOT_ALLOWED,
  SERVICE_BUSY,
} from './error-kinds.js';
import { InvalidRequestError, NothingHereError } from './errors.js';
import { type ErrorKind, ExpectedError } from './expected-error.js';
import { expectedErrorOf } from './expected-error-of.js';
import { problem, PROBLEM_JSON } from './problem.js';
import { noteCode } from '../observing/request-outcome.js';
import { requestIdOf } from '../observing/request-id.js';

/** Seconds; a database that restarts is back in about as many. */
const DATABASE_RETRY_AFTER = '5';

/** How often the log tells that calls are turned away: a flood must not fill the disk as well. */
const BUSY_TOLD_EVERY_MS = 60_000;

/** The one place where an error becomes an answer: a problem document, and the headers its code demands. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');
  private busyTold = -BUSY_TOLD_EVERY_MS;

  constructor(private readonly adapterHost: HttpAdapterHost) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    // Too late for an answer: the caller sees a cut connection, which is "unknown" by the contract.
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { kind, detail } = this.expected(error, request, response);
    response.setHeaders(new Map(Object.entries(this.headersOf(kind, error))));
    noteCode(response, kind.code);
    if (kind.status >= 500) this.log(kind, error, requestIdOf(response));
    const faults = error instanceof InvalidRequestError ? error.faults : [];
    response
      .status(kind.status)
      .setHeader('Content-Type', PROBLEM_JSON)
      .end(JSON.stringify(problem(kind, detail, requestIdOf(response), faults)));
  }

  private expected(error: unknown, request: Request, response: Response): { kind: ErrorKind; detail: string } {
    const failure = expectedErrorOf(error);
    if (failure !== undefined) return { kind: failure.kind, detail: failure.message };
    if (isDatabaseUnavailable(error)) return { kind: DATABASE_UNAVAILABLE, detail: DATABASE_UNAVAILABLE.example };
    if (error instanceof HttpException) {
      if (error.getStatus() === 404) return this.unrouted(request, response);
      if (error.getStatus() === 400) {
        return { kind: INVALID_REQUEST, detail: 'The path is not valid percent-encoded UTF-8.' };
      }
    }
    return { kind: INTERNAL_ERROR, detail: INTERNAL_ERROR.example };
  }

  private unrouted(request: Request, response: Response): { kind: ErrorKind; detail: string } {
    const methods = allowedMethods(this.adapterHost.httpAdapter.getInstance<Application>(), request.path);
    if (methods.length === 0) return this.expected(new NothingHereError(), request, response);
    response.setHeader('Allow', methods.join(', '));
    return { kind: METHOD_NOT_ALLOWED, detail: `This path takes ${methods.join(' and ')} only.` };
  }

  private headersOf(kind: ErrorKind, error: unknown): Readonly<Record<string, string>> {
    if (error instanceof ExpectedError && Object.keys(error.headers).length > 0) return error.headers;
    return kind === DATABASE_UNAVAILABLE ? { 'Retry-After': DATABASE_RETRY_AFTER } : {};
  }

  private log(kind: ErrorKind, error: unknown, requestId: string): void {
    if (kind === SERVICE_BUSY) {
      if (performance.now() - this.busyTold < BUSY_TOLD_EVERY_MS) return;
      this.busyTold = performance.now();
    }
    const { code } = kind;
    const line = `Request ${requestId} failed with ${code}: ${describeError(error)}`;
    // A database that is away is no fault of a line of code, and there may be many of these.
    if (kind !== INTERNAL_ERROR) this.logger.warn(line);
    else this.logger.error(line, error instanceof Error ? error.stack : undefined);
  }
}
