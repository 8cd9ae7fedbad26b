import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, type ModulesContainer } from '@nestjs/core';
import { inputsOf, type OperationDescription, operationOf, type RouteInputs } from '../http/index.js';

/** A route in the document. */
export interface DocumentedRoute extends RouteInputs {
  readonly method: string;
  /** In OpenAPI's notation: "/Api/Bundles/{id}". */
  readonly path: string;
  readonly controller: Type;
  readonly handler: object;
  readonly operation: OperationDescription;
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
  return {
    method: RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod].toLowerCase(),
    path: [controller, handler]
      .map(pathOf)
      .join('')
      .replaceAll(/:(\w+)/g, '{$1}'),
    controller,
    handler,
    operation,
    ...inputsOf(controller, name),
  };
}

function pathOf(place: object): string {
  return `/${String(Reflect.getMetadata(PATH_METADATA, place))}`;
}
