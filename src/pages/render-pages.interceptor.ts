import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { setErrorCode } from '../http/index.js';
import { addressOf, rootOf } from './frame/addresses.js';
import { flashQuery, readFlash } from './frame/flash.js';
import { PAGE_HEADERS } from './page-headers.js';
import { PageToGoTo, PageToShow } from './page-answer.js';
import { PageRenderer } from './page-renderer.service.js';
import { visitorOf } from './visitor.js';

/** Turns what the handler of a page returns into HTML or a redirect. Other answers, such as files, stay as they are. */
@Injectable()
export class RenderPages implements NestInterceptor {
  constructor(private readonly renderer: PageRenderer) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map((answer: unknown) => {
        if (answer instanceof PageToShow) return this.show(answer, request, response);
        return answer instanceof PageToGoTo ? this.goTo(answer, request, response) : answer;
      }),
    );
  }

  private show({ shown }: PageToShow, request: Request, response: Response): string {
    const formToken = visitorOf(request)?.session?.formToken;
    const message = formToken === undefined ? undefined : readFlash(request.query, formToken);
    response.status(shown.status ?? 200).setHeaders(new Map(Object.entries(PAGE_HEADERS)));
    if (shown.code !== undefined) setErrorCode(response, shown.code);
    return this.renderer.render(request, { ...shown, message });
  }

  private goTo({ path, message }: PageToGoTo, request: Request, response: Response): string {
    const formToken = visitorOf(request)?.session?.formToken;
    const query = message === undefined || formToken === undefined ? '' : flashQuery(message, formToken);
    const separator = query === '' ? '' : path.includes('?') ? '&' : '?';
    response.status(303).setHeaders(new Map(Object.entries(PAGE_HEADERS)));
    response.setHeader('Location', addressOf(rootOf(request.path), path + separator + query));
    return '';
  }
}
