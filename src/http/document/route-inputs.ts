import type { Type } from '@nestjs/common';
import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { QueryPipe } from '../requests/query.pipe.js';
import { fieldsOf } from '../requests/read-fields.js';
import { operationOf } from './operation.js';
import { parametersOf } from './parameters.js';

const BODY: number = RouteParamtypes.BODY;

/** What a route reads from a request, according to the decorators of its method. */
export interface RouteInputs {
  /** The pipes that read its parameters. */
  readonly pipes: readonly Type[];
  /** The class its query is read into; undefined if pipes read single parameters, or none. */
  readonly query: Type | undefined;
  /** The class its JSON body is read into: the type of `@Body()`; undefined if the route has no body. */
  readonly body: Type | undefined;
}

/** The inputs of a controller's method. */
export function inputsOf(controller: Type, name: string): RouteInputs {
  const prototype = controller.prototype as object;
  const types = (Reflect.getMetadata(PARAMTYPES_METADATA, prototype, name) ?? []) as readonly Type[];
  const args = argumentsOf(controller, name);
  const body = args.find(({ kind }) => kind === BODY);
  const query = args.find(({ pipes }) => pipes.includes(QueryPipe));
  return {
    pipes: args.flatMap(({ pipes }) => pipes),
    query: query && types[query.index],
    body: body && types[body.index],
  };
}

/** The names of the query parameters that a route reads. */
export function queryNamesOf({ pipes, query }: RouteInputs): string[] {
  const ofPipes = pipes.flatMap(parametersOf).flatMap(({ name, in: place }) => (place === 'query' ? [name] : []));
  const ofClass = query === undefined ? [] : fieldsOf(query).map(({ name }) => name);
  return [...ofPipes, ...ofClass];
}

/** Whether a call may come without a body because no field of it is required. */
export function isBodyOptional({ body }: RouteInputs): boolean {
  return body !== undefined && !fieldsOf(body).some(({ required }) => required);
}

/** What a route reads, for the guards that run on every call. */
interface DeclaredInput {
  readonly queryNames: readonly string[];
  readonly takesBody: boolean;
  /** Whether the call may also come without its body: all fields are optional. */
  readonly isBodyOptional: boolean;
  /** For messages. */
  readonly name: string;
  /** For messages: what to do instead of sending a body that the route does not take. */
  readonly insteadOfBody: string;
}

/** A cache by handler. Decorators run once, so entries never change. */
const declared = new WeakMap<object, DeclaredInput>();

/** What the handler of a route reads. */
export function declaredInputOf(handler: { readonly name: string }, controller: Type): DeclaredInput {
  const known = declared.get(handler);
  if (known !== undefined) return known;
  const inputs = inputsOf(controller, handler.name);
  const operation = operationOf(handler);
  const found = {
    queryNames: queryNamesOf(inputs),
    takesBody: inputs.body !== undefined,
    isBodyOptional: isBodyOptional(inputs),
    name: operation?.id ?? 'This call',
    insteadOfBody: operation?.insteadOfBody ?? 'send none',
  };
  declared.set(handler, found);
  return found;
}

/** Nest's metadata of a method's parameters, which it stores under "kind:index", in the order of the parameters. */
function argumentsOf(controller: Type, name: string): { kind: number; index: number; pipes: readonly Type[] }[] {
  const kept = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<
    string,
    { index: number; pipes?: readonly Type[] }
  >;
  return Object.entries(kept)
    .map(([key, { index, pipes = [] }]) => ({ kind: kindOf(key), index, pipes }))
    .sort((a, b) => a.index - b.index);
}

/** NaN for a decorator of our own: Nest gives it a random id, which may begin with a digit. */
function kindOf(key: string): number {
  return Number(/^(\d+):\d+$/.exec(key)?.[1]);
}
