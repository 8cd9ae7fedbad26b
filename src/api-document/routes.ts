import { RequestMethod, type Type } from '@nestjs/common';
import {
  GUARDS_METADATA,
  METHOD_METADATA,
  PARAMTYPES_METADATA,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { MetadataScanner, type ModulesContainer } from '@nestjs/core';
import { JsonBodyGuard, type OperationDescription, operationOf, QueryPipe } from '../http/index.js';

const BODY: number = RouteParamtypes.BODY;

/** A route that is in the document, with what Nest knows of it. */
export interface DocumentedRoute {
  readonly method: string;
  /** As OpenAPI writes it, "/Api/Bundles/{id}". */
  readonly path: string;
  readonly controller: Type;
  readonly handler: object;
  readonly operation: OperationDescription;
  /** Pipes that read its parameters. */
  readonly pipes: readonly Type[];
  /** The class that stands for its query; undefined where single pipes read what they need of it, or nothing does. */
  readonly query: Type | undefined;
  /** The class its body is read into; undefined where a body is ignored. */
  readonly body: Type | undefined;
}

/** All routes with an `@Operation`, in the order of their controllers and methods. */
export function documentedRoutes(modules: ModulesContainer): DocumentedRoute[] {
  const scanner = new MetadataScanner();
  return [...modules.values()]
    .flatMap((module) => [...module.controllers.values()])
    .flatMap(({ metatype }) => (typeof metatype === 'function' ? [metatype as Type] : []))
    .flatMap((controller) =>
      scanner
        .getAllMethodNames(controller.prototype as object)
        .flatMap((name) => documentedRoute(controller, name) ?? []),
    );
}

function documentedRoute(controller: Type, name: string): DocumentedRoute | undefined {
  const prototype = controller.prototype as Record<string, object>;
  const handler = prototype[name];
  const operation = handler && operationOf(handler);
  if (handler === undefined || operation === undefined) return undefined;
  const guards = (Reflect.getMetadata(GUARDS_METADATA, handler) ?? []) as readonly unknown[];
  const args = argumentsOf(controller, name);
  const types = Reflect.getMetadata(PARAMTYPES_METADATA, prototype, name) as readonly Type[];
  const body = args.find(({ kind }) => kind === BODY);
  const query = args.find(({ pipes }) => pipes.includes(QueryPipe));
  return {
    method: RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod].toLowerCase(),
    path: [controller, handler]
      .map(pathOf)
      .join('')
      .replaceAll(/:(\w+)/g, '{$1}'),
    controller,
    handler,
    operation,
    pipes: args.flatMap(({ pipes }) => pipes),
    query: query && types[query.index],
    body: guards.includes(JsonBodyGuard) && body !== undefined ? types[body.index] : undefined,
  };
}

function pathOf(place: object): string {
  return `/${String(Reflect.getMetadata(PATH_METADATA, place))}`;
}

/** What Nest keeps of a handler's parameters, in their order: under "kind:index". */
function argumentsOf(controller: Type, name: string): { kind: number; index: number; pipes: readonly Type[] }[] {
  const kept = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<
    string,
    { index: number; pipes?: readonly Type[] }
  >;
  return Object.entries(kept)
    .map(([key, { index, pipes = [] }]) => ({ kind: Number.parseInt(key, 10), index, pipes }))
    .sort((a, b) => a.index - b.index);
}
