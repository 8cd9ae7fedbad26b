/** Which folder may import which: docs/architecture.md. Each rule says why; `npm run check:boundaries` checks them. */
// Every directory that is not a foundation is a feature, so these rules also apply to new directories.
const feature =
  '^src/(?!config/|values/|process/|durable-files/|temporary-files/|database/|embedded-postgres/|database-move/|jobs/|http/|pages/|idempotency/|health/|metrics/|audit/|command-line/)[^/]+/';
const folder = '^src/[^/]+/';
/** The folders of the embedded PostgreSQL: each may import those before it. */
const EMBEDDED = ['data-dir', 'programs', 'cluster', 'server'];

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Cyclic imports are hard to follow, and break with ES modules.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'folders-are-imported-by-index',
      comment: 'Other folders import only index.ts or events/index.ts, so that everything else in a folder can change.',
      severity: 'error',
      from: { path: '^src/([^/]+)/', pathNot: '\\.spec\\.ts$' },
      to: { path: folder, pathNot: ['^src/$1/', '^src/[^/]+/index\\.ts$', '^src/[^/]+/events/index\\.ts$'] },
    },
    {
      name: 'parts-of-contributions-are-imported-by-index',
      comment: 'Other parts of contributions import only the index.ts of a part.',
      severity: 'error',
      from: { path: '^src/contributions/([^/]+)/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^src/contributions/[^/]+/',
        pathNot: ['^src/contributions/$1/', '^src/contributions/[^/]+/index\\.ts$'],
      },
    },
    {
      name: 'parts-of-contributions-have-an-order',
      comment:
        'ledger, notations < funds, bundles, reviews < gifts < reversals < deposits < imports < reading: a part may import those before it. Nothing imports reading.',
      severity: 'error',
      from: { path: '^src/contributions/(ledger|notations|events|funds|bundles|reviews|gifts)/' },
      to: { path: '^src/contributions/(reversals|deposits|imports|reading)/' },
    },
    {
      name: 'imports-and-reading-come-last',
      comment: 'An import takes gifts back. Reversals and deposits know nothing of imports.',
      severity: 'error',
      from: { path: '^src/contributions/(reversals|deposits|imports)/' },
      to: { path: '^src/contributions/(imports|reading)/', pathNot: '^src/contributions/$1/' },
    },
    {
      name: 'reversals-know-no-deposits',
      comment: 'A deposit has reversals. A reversal is the same in a deposit and without one.',
      severity: 'error',
      from: { path: '^src/contributions/reversals/' },
      to: { path: '^src/contributions/deposits/' },
    },
    {
      name: 'parts-below-gifts',
      comment: 'gifts imports these parts, so they do not import gifts.',
      severity: 'error',
      from: { path: '^src/contributions/(ledger|notations|events|funds|bundles|reviews)/' },
      to: { path: '^src/contributions/gifts/' },
    },
    {
      name: 'top-level-imports-index-only',
      comment: 'main.ts, cli.ts and app.module.ts import only the index.ts of each folder.',
      severity: 'error',
      from: { path: '^src/[^/]+\\.ts$' },
      to: { path: folder, pathNot: '^src/[^/]+/index\\.ts$' },
    },
    ...EMBEDDED.map((name, position) => ({
      name: `embedded-postgres-${name}-imports-earlier-folders-only`,
      comment: 'data-dir < programs < cluster < server < the files beside them: a folder may import those before it.',
      severity: 'error',
      from: { path: `^src/embedded-postgres/${name}/`, pathNot: '\\.spec\\.ts$' },
      to: {
        path: `^src/embedded-postgres/(${[...EMBEDDED.slice(position + 1).map((later) => `${later}/`), '[^/]+\\.ts$'].join('|')})`,
      },
    })),
    {
      name: 'auth-imports-no-feature',
      comment: 'Users and roles do not depend on what they give access to.',
      severity: 'error',
      from: { path: '^src/auth/' },
      to: { path: feature, pathNot: '^src/auth/' },
    },
    {
      name: 'people-import-no-feature-but-auth',
      comment:
        'A change of a person reaches gifts by an event. The totals of a person belong to the contributions module. The routes need auth.',
      severity: 'error',
      from: { path: '^src/people/' },
      to: { path: feature, pathNot: '^src/(people|auth)/' },
    },
    {
      name: 'contributions-do-not-import-notifications-and-webhooks',
      comment: 'Gifts belong to persons and are added by users, but do not depend on who is told of them.',
      severity: 'error',
      from: { path: '^src/contributions/' },
      to: { path: '^src/(notifications|webhooks)/' },
    },
    {
      name: 'notifications-import-events-and-auth-only',
      comment: 'A notice is made from the fields of the event. Only contributions reads its own tables.',
      severity: 'error',
      from: { path: '^src/notifications/' },
      to: { path: '^src/(people|contributions)/', pathNot: '^src/contributions/events/' },
    },
    {
      name: 'features-import-events-only',
      comment:
        'Except for auth, people, contributions, notifications and test-mode, a feature imports only the events of others.',
      severity: 'error',
      from: {
        path: '^src/([^/]+)/',
        pathNot:
          '^src/(config|values|durable-files|temporary-files|database|embedded-postgres|database-move|jobs|http|pages|idempotency|health|metrics|audit|command-line|auth|people|contributions|notifications|test-mode)/',
      },
      to: { path: feature, pathNot: ['^src/$1/', '^src/auth/', '^src/[^/]+/events/'] },
    },
    {
      name: 'nothing-imports-test-mode',
      comment:
        'A test system is the service with a module more. The live service must not depend on it, so only the top level knows it.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: '^src/test-mode/' },
      to: { path: '^src/test-mode/' },
    },
    {
      name: 'examples-import-events-only',
      comment:
        'Developers copy the examples, so an example imports only the events of features, and every index.ts only.',
      severity: 'error',
      from: { path: '^examples/', pathNot: '\\.spec\\.ts$|/example-database\\.ts$' },
      to: {
        path: '^(src|test|migrations)/',
        pathNot: [
          '^src/(config|values|database|jobs|http|idempotency|health|metrics|audit|auth)/index\\.ts$',
          '^src/[^/]+/events/index\\.ts$',
        ],
      },
    },
    {
      name: 'foundations-import-no-feature',
      comment: 'The features import these folders, so these folders do not import features.',
      severity: 'error',
      from: { path: '^src/(config|database|jobs|http|pages|idempotency|metrics|audit|command-line)/' },
      to: { path: feature },
    },
    {
      name: 'values-are-pure',
      comment: 'Money, days, texts and ids do not depend on Nest, the database or HTTP.',
      severity: 'error',
      from: { path: '^src/values/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(src|migrations)/|node_modules/(@nestjs|typeorm|pg|express)/', pathNot: '^src/values/' },
    },
    {
      name: 'config-and-command-line-are-leaves',
      comment: 'Every folder may import them, so they import only values.',
      severity: 'error',
      from: { path: '^src/(config|command-line|durable-files)/' },
      to: { path: '^(src|migrations)/', pathNot: '^src/(config|command-line|durable-files|values)/' },
    },
    {
      name: 'metrics-import-config-only',
      comment: 'Modules add their own metrics, so metrics does not import them.',
      severity: 'error',
      from: { path: '^src/metrics/' },
      to: { path: '^(src|migrations)/', pathNot: '^src/((metrics|config|values)/|version\\.ts$)' },
    },
    {
      name: 'database-does-not-import-http-or-jobs',
      comment: 'The filter in http uses database errors, so the database depends neither on HTTP nor on the queue.',
      severity: 'error',
      from: { path: '^src/database/' },
      to: { path: '^src/(http|jobs|idempotency|health|audit)/' },
    },
    {
      name: 'audit-imports-database-http-jobs-and-metrics-only',
      comment:
        'Modules record their own actions, so the audit trail needs the database, for the view of its entries http, and for its seals jobs and metrics.',
      severity: 'error',
      from: { path: '^src/audit/' },
      to: { path: '^src/(idempotency|health)/' },
    },
    {
      name: 'jobs-and-http-are-independent',
      comment: 'A job is not a request, so neither folder needs the other.',
      severity: 'error',
      from: { path: '^src/(jobs|http)/' },
      to: { path: '^src/(jobs|http|idempotency)/', pathNot: '^src/$1/' },
    },
    {
      name: 'health-imports-no-feature-but-auth',
      comment: 'Modules add their own warnings and checks, so health does not import them.',
      severity: 'error',
      from: { path: '^src/health/' },
      to: { path: '^src/(people|contributions|notifications|jobs|idempotency)/' },
    },
    {
      name: 'pages-are-a-foundation',
      comment: 'Every part may have pages, so their frame imports config, values, http and audit only.',
      severity: 'error',
      from: { path: '^src/pages/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(src|migrations)/', pathNot: '^src/(pages|config|values|http|audit)/' },
    },
    {
      name: 'pages-know-no-database',
      comment: 'A page calls the use cases that the API calls, so that there is one set of rules.',
      severity: 'error',
      from: { path: '\\.tsx$' },
      to: { path: '^src/database/|node_modules/(typeorm|pg|@nestjs/typeorm)/' },
    },
    {
      name: 'only-modules-import-pages',
      comment: 'Pages are at the outer end: what two pages share is a part of the frame or a component of its own.',
      severity: 'error',
      from: { pathNot: '(\\.module|\\.spec)\\.ts$' },
      to: { path: '\\.pages\\.tsx$' },
    },
    {
      name: 'migrations-import-no-source',
      comment: 'A released migration must not change, so it does not depend on code that changes.',
      severity: 'error',
      from: { path: '^migrations/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/' },
    },
    {
      name: 'product-needs-no-test-code',
      comment: 'Tests and development packages are not part of the image.',
      severity: 'error',
      from: { path: '^(src|migrations)/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^(test|bench)/|node_modules',
        dependencyTypes: ['npm-dev', 'local'],
        // Types of packages are not needed at run time.
        pathNot: '^(src|migrations)/|node_modules/(@types|express)/',
      },
    },
    {
      name: 'declared-packages-only',
      comment:
        'A package that only another package depends on may disappear with an update of that one. test/clients has a package.json of its own, and uses packages of both.',
      severity: 'error',
      from: { path: '^(src|migrations|test|bench)/', pathNot: '^test/clients/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'unresolvable',
      comment:
        'Every import must exist, except for the build, which Jest’s global setup imports and a new clone lacks.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: 'dist/src/' },
    },
  ],
  options: {
    // Also checks type-only imports.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    // They import clients that are generated, and packages that are installed, when they are tested.
    exclude: { path: '^test/clients/(programs|generated-|postman\\.js|orval\\.js)' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
