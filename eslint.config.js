import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

const NO_OUTGOING_CALLS =
  'The service only calls its database, its mail server and, in one file, the receivers of webhooks; see docs/security.md, API7.';

const RAW_ON_EVENT = {
  name: '@nestjs/event-emitter',
  importNames: ['OnEvent'],
  message: 'Use @InTransactionOf of src/database: an error of a listener with @OnEvent does not roll the write back.',
};

const GLOBAL_PROCESS = {
  selector: "MemberExpression[object.type='MemberExpression'][object.property.name='process']",
  message: 'Use the global process; only src/config reads its env.',
};

const OWN_CLOCK = [
  "CallExpression[callee.object.name='Date'][callee.property.name='now']",
  "NewExpression[callee.name='Date'][arguments.length=0]",
  "CallExpression[callee.object.name='DateTime'][callee.property.name=/^(now|local|utc)$/]",
].map((selector) => ({
  selector,
  message: 'Use DatabaseClock.now(), or now() in SQL. Use performance.now() to measure durations.',
}));

export default tseslint.config(
  {
    ignores: [
      'dist/**',
      'data/**',
      'data-demo/**',
      'coverage/**',
      'node_modules/**',
      'screenshots/**',
      'test/clients/**/node_modules/**',
      'test/clients/programs/**',
      'test/clients/generated-*/**',
    ],
  },
  eslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // Nest's modules are empty classes with a decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // Injection reads parameter types at run time. A type-only import would silently break it.
      '@typescript-eslint/consistent-type-imports': 'off',
      // Nest and express declare types of options and requests as classes that are never constructed.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Answer classes are types with decorators for the API document. They have no instances.
      '@typescript-eslint/no-misused-spread': [
        'error',
        {
          allow: [
            {
              from: 'file',
              name: [
                ...[
                  'BundleDetails',
                  'BundleView',
                  'DeliverySummary',
                  'FundTotals',
                  'FundView',
                  'PersonView',
                  'Problem',
                ],
                ...['ReviewView', 'Totals', 'TypeTotals', 'WebhookDeliveryDetails', 'WebhookView', 'YearOfGiving'],
              ],
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
    // Only src/config reads the environment. All other code gets the typed configuration.
    files: ['src/**/*.{ts,tsx}'],
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
            ...['node:https', 'node:http2', 'node:dgram'].map((name) => ({ name, message: NO_OUTGOING_CALLS })),
            RAW_ON_EVENT,
          ],
        },
      ],
      'no-restricted-globals': [
        'error',
        ...['fetch', 'WebSocket', 'EventSource'].map((name) => ({ name, message: NO_OUTGOING_CALLS })),
      ],
      'no-restricted-syntax': ['error', GLOBAL_PROCESS],
    },
  },
  {
    files: ['test/**/*.ts', 'examples/**/*.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: [RAW_ON_EVENT] }] },
  },
  {
    // Replicas must agree even if their clocks are wrong, so everything that another process can see uses the database's
    // clock. embedded-postgres may use the machine's clock, for files and processes on this machine.
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/config/**', 'src/**/*.spec.ts', 'src/embedded-postgres/**'],
    rules: {
      'no-restricted-syntax': ['error', GLOBAL_PROCESS, ...OWN_CLOCK],
    },
  },
  {
    // A describe block is one function, and a table of cases is long.
    files: ['test/**/*.{ts,tsx}', 'src/**/*.spec.ts', 'migrations/**/*.ts', 'bench/**/*.ts'],
    rules: {
      'max-lines-per-function': 'off',
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    // Preact escapes everything but dangerouslySetInnerHTML. The policy of the pages forbids inline styles and scripts, so
    // they would do nothing. Addresses are relative, so that a proxy may add a path: Link and Form make them.
    files: ['src/**/*.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        GLOBAL_PROCESS,
        ...OWN_CLOCK,
        ...[
          ["JSXAttribute[name.name='dangerouslySetInnerHTML']", 'Write elements: Preact escapes their texts.'],
          [
            "JSXAttribute[name.name='style']",
            'Use a class of console.css: the policy of the pages forbids inline styles.',
          ],
          [
            'JSXAttribute[name.name=/^(on[A-Z]|hx-on)/]',
            'Use console.js: the policy of the pages forbids inline scripts.',
          ],
          [
            "JSXAttribute[name.namespace.name='hx-on']",
            'Use console.js: the policy of the pages forbids inline scripts.',
          ],
          [
            'JSXAttribute[name.name=/^(href|action|src)$/] > Literal[value=/^\\//]',
            'Use Link or Form with the path as `to`.',
          ],
        ].map(([selector, message]) => ({ selector, message })),
      ],
      // Components are types of elements, and the types of Preact's elements are wider than those of texts.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
    },
  },
  {
    files: ['**/*.js', '**/*.mjs', '**/*.cjs'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', module: 'writable', URL: 'readonly' } },
  },
  {
    files: ['src/pages/assets/files/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        ['document', 'DOMParser', 'fetch', 'localStorage', 'location', 'setTimeout'].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    files: ['src/api-document/page/*.js'],
    languageOptions: { globals: { document: 'readonly', MutationObserver: 'readonly', SwaggerUIBundle: 'readonly' } },
  },
);
