import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { Church } from '../config/index.js';
import { makeDocument } from './document.js';
import type { OpenApi } from './openapi.js';
import { type OpenApi30, toOpenApi30 } from './openapi-3.0.js';

/** Makes the OpenAPI document of this service from its routes. */
@Injectable()
export class ApiDocument {
  private made: Omit<OpenApi, 'servers'> | undefined;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly church: Church,
  ) {}

  /** The document, in OpenAPI 3.1. @param address the absolute address of the service, for the caller. */
  at(address: string): OpenApi {
    this.made ??= makeDocument(this.modules, this.church);
    return { ...this.made, servers: [{ url: address, description: 'This church' }] };
  }

  /** The same in OpenAPI 3.0.3, for tools that do not read 3.1. */
  in30At(address: string): OpenApi30 {
    return toOpenApi30(this.at(address));
  }
}
