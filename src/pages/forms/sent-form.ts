import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Query } from '../../http/index.js';

/** Injects the form that was sent into a parameter of a handler, as a `Query`. A page has this in place of `@Body()`. */
export const SentForm = createParamDecorator((_data: unknown, context: ExecutionContext): Query => {
  return context.switchToHttp().getRequest<Request>().body as Query;
});
