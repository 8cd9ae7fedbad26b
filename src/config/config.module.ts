import { DynamicModule, Module } from '@nestjs/common';
import { Church, Configuration } from './configuration.js';

/** Provides the {@link Configuration}, and its {@link Church} separately. */
@Module({})
export class ConfigModule {
  static forRoot(configuration: Configuration): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [
        { provide: Configuration, useValue: configuration },
        { provide: Church, useValue: configuration.church },
      ],
      exports: [Configuration, Church],
    };
  }
}
