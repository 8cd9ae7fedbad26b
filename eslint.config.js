import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

const CALLS_NOBODY = 'The service calls nobody but its database and its mail server; see docs/security.md, API7.';

const RAW_ON_EVENT = {
  name: '@nestjs/event-emitter',
  importNames: ['OnEvent'],
  message: 'Use @InTransactionOf of src/database: an error of a listener with @OnEvent does not roll the write back.',
};

const GLOBAL_PROCESS = {
  selector: "MemberExpression[object.type='MemberExpression'][object.property.name='process']",
  message: 'Use the global process; only src/config reads its env.',
};

export default tseslint.config(
  { ignores: ['dist/**', 'data/**', 'coverage/**', 'node_modules/**', 'screenshots/**'] },
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // Nest's modules and services are classes that only a decorator fills.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // Injection reads parameter types at run time: an import turned into a type-only one breaks it silently.
      '@typescript-eslint/consistent-type-imports': 'off',
      // Nest and express declare their option and request types as classes that nobody is meant to construct.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Answer classes are shapes with decorators for the API's document; nobody makes an instance of one.
      '@typescript-eslint/no-misused-spread': [
        'error',
        {
          allow: [
            {
              from: 'file',
              name: ['BundleView', 'FundTotals', 'PersonView', 'Problem', 'Totals', 'TypeTotals', 'YearOfGiving'],
            },
          ],
        },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      'no-duplicate-imports': ['error', { allowSeparateTypeImports: true }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      'max-lines': ['error', { max: 200, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    // One environment reader: everything else is given the typed configuration.
    files: ['src/**/*.ts'],
    ignores: ['src/config/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only src/config reads the environment; inject Configuration.' },
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            ...['process', 'node:process'].map((name) => ({
              name,
              message: 'Use the global; only src/config reads env.',
            })),
            ...['node:https', 'node:http2', 'node:dgram'].map((name) => ({ name, message: CALLS_NOBODY })),
            RAW_ON_EVENT,
          ],
        },
      ],
      'no-restricted-globals': [
        'error',
        ...['fetch', 'WebSocket', 'EventSource'].map((name) => ({ name, message: CALLS_NOBODY })),
      ],
      'no-restricted-syntax': ['error', GLOBAL_PROCESS],
    },
  },
  {
    files: ['test/**/*.ts', 'examples/**/*.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: [RAW_ON_EVENT] }] },
  },
  {
    // Replicas whose clocks are wrong have to agree: what another process can see goes by the database's clock. Left out:
    // files and processes on this very machine.
    files: ['src/**/*.ts'],
    ignores: ['src/config/**', 'src/**/*.spec.ts', 'src/embedded-postgres/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        GLOBAL_PROCESS,
        ...[
          "CallExpression[callee.object.name='Date'][callee.property.name='now']",
          "NewExpression[callee.name='Date'][arguments.length=0]",
          "CallExpression[callee.object.name='DateTime'][callee.property.name=/^(now|local|utc)$/]",
        ].map((selector) => ({
          selector,
          message: 'Ask DatabaseClock.now(), or now() in SQL; performance.now() measures how long something takes.',
        })),
      ],
    },
  },
  {
    // A describe block is one function, and a table of cases is long by nature.
    files: ['test/**/*.ts', 'src/**/*.spec.ts', 'migrations/**/*.ts', 'bench/**/*.ts'],
    rules: {
      'max-lines-per-function': 'off',
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['**/*.js', '**/*.mjs', '**/*.cjs'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', module: 'writable', URL: 'readonly' } },
  },
  {
    files: ['src/api-document/page/*.js'],
    languageOptions: { globals: { document: 'readonly', SwaggerUIBundle: 'readonly' } },
  },
);
