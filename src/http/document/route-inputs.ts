import type { Type } from '@nestjs/common';
import { GUARDS_METADATA, PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { JsonBodyGuard } from '../requests/json-body.guard.js';
import { QueryPipe } from '../requests/query.pipe.js';
import { fieldsOf } from '../requests/request-reader.js';
import { parametersOf } from './parameters.js';

const BODY: number = RouteParamtypes.BODY;

/** What a route reads from a request, according to the decorators of its method. */
export interface RouteInputs {
  /** The pipes that read its parameters. */
  readonly pipes: readonly Type[];
  /** The class its query is read into; undefined if pipes read single parameters, or none. */
  readonly query: Type | undefined;
  /** The class its body is read into; undefined if the route has no body. */
  readonly body: Type | undefined;
}

/** The inputs of a controller's method. */
export function inputsOf(controller: Type, name: string): RouteInputs {
  const prototype = controller.prototype as Record<string, object>;
  const handler = prototype[name];
  const guards = (handler === undefined ? [] : (Reflect.getMetadata(GUARDS_METADATA, handler) ?? [])) as unknown[];
  const types = (Reflect.getMetadata(PARAMTYPES_METADATA, prototype, name) ?? []) as readonly Type[];
  const args = argumentsOf(controller, name);
  const body = args.find(({ kind }) => kind === BODY);
  const query = args.find(({ pipes }) => pipes.includes(QueryPipe));
  return {
    pipes: args.flatMap(({ pipes }) => pipes),
    query: query && types[query.index],
    body: guards.includes(JsonBodyGuard) && body !== undefined ? types[body.index] : undefined,
  };
}

/** The names of the query parameters that a route reads. */
export function queryNamesOf({ pipes, query }: RouteInputs): string[] {
  const ofPipes = pipes.flatMap(parametersOf).flatMap(({ name, in: place }) => (place === 'query' ? [name] : []));
  const ofClass = query === undefined ? [] : fieldsOf(query).map(({ name }) => name);
  return [...ofPipes, ...ofClass];
}

/** Nest's metadata of a method's parameters, which it stores under "kind:index", in the order of the parameters. */
function argumentsOf(controller: Type, name: string): { kind: number; index: number; pipes: readonly Type[] }[] {
  const kept = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<
    string,
    { index: number; pipes?: readonly Type[] }
  >;
  return Object.entries(kept)
    .map(([key, { index, pipes = [] }]) => ({ kind: Number.parseInt(key, 10), index, pipes }))
    .sort((a, b) => a.index - b.index);
}
