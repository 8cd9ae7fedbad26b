import { ArgumentsHost, Catch, ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Application, Request, Response } from 'express';
import { describeError, isDatabaseUnavailable } from '../../database/index.js';
import { allowedMethods } from '../allowed-methods.js';
import { ComeAgainError, InvalidRequestError, NothingHereError } from './errors.js';
import { type ErrorCode, STATUS_OF } from './expected-error.js';
import { expectedErrorOf } from './expected-error-of.js';
import { problem, PROBLEM_JSON } from './problem.js';
import { noteCode } from '../observing/request-outcome.js';
import { requestIdOf } from '../observing/request-id.js';

/** Seconds; a database that restarts is back in about as many. */
const DATABASE_RETRY_AFTER = 5;

/** How often the log tells that calls are turned away: a flood must not fill the disk as well. */
const BUSY_TOLD_EVERY_MS = 60_000;

const CHALLENGE = 'Basic realm="Offertory", charset="UTF-8"';

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
    const { code, detail } = this.expected(error, request, response);
    this.setHeaders(code, error, response);
    noteCode(response, code);
    if (STATUS_OF[code] >= 500) this.log(code, error, requestIdOf(response));
    const faults = error instanceof InvalidRequestError ? error.faults : [];
    response
      .status(STATUS_OF[code])
      .setHeader('Content-Type', PROBLEM_JSON)
      .end(JSON.stringify(problem(code, detail, requestIdOf(response), faults)));
  }

  private expected(error: unknown, request: Request, response: Response): { code: ErrorCode; detail: string } {
    const failure = expectedErrorOf(error);
    if (failure !== undefined) return { code: failure.code, detail: failure.message };
    if (isDatabaseUnavailable(error)) {
      return { code: 'database_unavailable', detail: 'The database cannot be reached now. Please repeat the call.' };
    }
    if (error instanceof HttpException) {
      if (error.getStatus() === 404) return this.unrouted(request, response);
      if (error.getStatus() === 400) {
        return { code: 'invalid_request', detail: 'The path is not valid percent-encoded UTF-8.' };
      }
    }
    return { code: 'internal_error', detail: 'Something went wrong here. Please report the request id.' };
  }

  private unrouted(request: Request, response: Response): { code: ErrorCode; detail: string } {
    const methods = allowedMethods(this.adapterHost.httpAdapter.getInstance<Application>(), request.path);
    if (methods.length === 0) return this.expected(new NothingHereError(), request, response);
    response.setHeader('Allow', methods.join(', '));
    return { code: 'method_not_allowed', detail: `This path takes ${methods.join(' and ')} only.` };
  }

  private setHeaders(code: ErrorCode, error: unknown, response: Response): void {
    if (code === 'unauthenticated') response.setHeader('WWW-Authenticate', CHALLENGE);
    if (code === 'database_unavailable') response.setHeader('Retry-After', DATABASE_RETRY_AFTER);
    if (error instanceof ComeAgainError) response.setHeader('Retry-After', error.retryAfterSeconds);
  }

  private log(code: ErrorCode, error: unknown, requestId: string): void {
    if (code === 'service_busy') {
      if (performance.now() - this.busyTold < BUSY_TOLD_EVERY_MS) return;
      this.busyTold = performance.now();
    }
    const line = `Request ${requestId} failed with ${code}: ${describeError(error)}`;
    // A database that is away is no fault of a line of code, and there may be many of these.
    if (code !== 'internal_error') this.logger.warn(line);
    else this.logger.error(line, error instanceof Error ? error.stack : undefined);
  }
}
