/** Who may know whom: docs/architecture.md. Each rule says why; `npm run check:boundaries` holds them. */
// Every directory that is no foundation is a feature: a new one is held by these rules from its first file on.
const feature =
  '^src/(?!config/|values/|process/|durable-files/|database/|embedded-postgres/|database-move/|jobs/|http/|idempotency/|health/|metrics/|audit/|command-line/)[^/]+/';
const room = '^src/[^/]+/';

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'What goes round in circles cannot be read in one direction, and breaks under ES modules.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'rooms-have-one-door',
      comment: 'A room is entered by its index.ts, or events/index.ts, so that what is behind it can change.',
      severity: 'error',
      from: { path: '^src/([^/]+)/', pathNot: '\\.spec\\.ts$' },
      to: { path: room, pathNot: ['^src/$1/', '^src/[^/]+/index\\.ts$', '^src/[^/]+/events/index\\.ts$'] },
    },
    {
      name: 'parts-of-contributions-have-one-door',
      comment: 'A part of contributions is entered by its index.ts, as a room is.',
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
        'ledger < funds, bundles, reviews < gifts < reversals, imports < reading: a part knows those before it. Nothing knows what reads.',
      severity: 'error',
      from: { path: '^src/contributions/(ledger|events|funds|bundles|reviews|gifts|reversals|imports)/' },
      to: { path: '^src/contributions/(reading|imports|reversals)/', pathNot: '^src/contributions/$1/' },
    },
    {
      name: 'parts-below-gifts',
      comment: 'What a gift is recorded with does not know how it is recorded.',
      severity: 'error',
      from: { path: '^src/contributions/(ledger|events|funds|bundles|reviews)/' },
      to: { path: '^src/contributions/gifts/' },
    },
    {
      name: 'top-level-uses-doors',
      comment: 'main.ts, cli.ts and the map know rooms, not what stands in them.',
      severity: 'error',
      from: { path: '^src/[^/]+\\.ts$' },
      to: { path: room, pathNot: '^src/[^/]+/index\\.ts$' },
    },
    {
      name: 'auth-knows-no-feature',
      comment: 'Users and roles do not depend on what they give access to.',
      severity: 'error',
      from: { path: '^src/auth/' },
      to: { path: feature, pathNot: '^src/auth/' },
    },
    {
      name: 'people-know-no-feature',
      comment: 'What happens to a person reaches gifts by an event; totals of a person are the contributions module’s.',
      severity: 'error',
      from: { path: '^src/people/' },
      to: { path: feature, pathNot: '^src/people/' },
    },
    {
      name: 'contributions-know-people-and-auth',
      comment: 'Gifts belong to persons and are added by users; who is told of them is no concern of theirs.',
      severity: 'error',
      from: { path: '^src/contributions/' },
      to: { path: '^src/notifications/' },
    },
    {
      name: 'notifications-know-events-and-auth',
      comment:
        'A notice is made of what the event carries; the contributions tables are read by their own module alone.',
      severity: 'error',
      from: { path: '^src/notifications/' },
      to: { path: '^src/(people|contributions)/', pathNot: '^src/contributions/events/' },
    },
    {
      name: 'features-know-events-only',
      comment: 'Besides the four of the map, a feature learns of another one by its events.',
      severity: 'error',
      from: {
        path: '^src/([^/]+)/',
        pathNot:
          '^src/(config|values|durable-files|database|embedded-postgres|database-move|jobs|http|idempotency|health|metrics|audit|command-line|auth|people|contributions|notifications)/',
      },
      to: { path: feature, pathNot: ['^src/$1/', '^src/auth/', '^src/[^/]+/events/'] },
    },
    {
      name: 'examples-are-features-that-know-events-only',
      comment: 'An example is what somebody copies: it learns of the features by their events, through doors.',
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
      name: 'foundations-know-no-feature',
      comment:
        'Configuration, database, jobs, HTTP, idempotency, metrics, audit trail and command line serve the features and must not know them.',
      severity: 'error',
      from: { path: '^src/(config|database|jobs|http|idempotency|metrics|audit|command-line)/' },
      to: { path: feature },
    },
    {
      name: 'values-are-pure',
      comment: 'Money, days, texts and ids: no Nest, no database, no HTTP.',
      severity: 'error',
      from: { path: '^src/values/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(src|migrations)/|node_modules/(@nestjs|typeorm|pg|express)/', pathNot: '^src/values/' },
    },
    {
      name: 'config-and-command-line-are-leaves',
      comment: 'Everything may use them, so they use nothing but values.',
      severity: 'error',
      from: { path: '^src/(config|command-line|durable-files)/' },
      to: { path: '^(src|migrations)/', pathNot: '^src/(config|command-line|durable-files|values)/' },
    },
    {
      name: 'metrics-know-config-only',
      comment: 'Everybody hands in figures of their own; the room where they are gathered asks nobody.',
      severity: 'error',
      from: { path: '^src/metrics/' },
      to: { path: '^(src|migrations)/', pathNot: '^src/((metrics|config|values)/|version\\.ts$)' },
    },
    {
      name: 'database-knows-config-and-metrics',
      comment: 'The filter of http knows database errors; the database knows nothing of HTTP or of the queue.',
      severity: 'error',
      from: { path: '^src/database/' },
      to: { path: '^src/(http|jobs|idempotency|health|audit)/' },
    },
    {
      name: 'audit-knows-the-database',
      comment:
        'Whoever does something records it; the audit trail asks nobody, and takes what is written in SQL alone.',
      severity: 'error',
      from: { path: '^src/audit/' },
      to: { path: '^src/(http|jobs|idempotency|health|metrics)/' },
    },
    {
      name: 'jobs-and-http-do-not-meet',
      comment: 'A job is not a request: neither the queue nor the door needs the other.',
      severity: 'error',
      from: { path: '^src/(jobs|http)/' },
      to: { path: '^src/(jobs|http|idempotency)/', pathNot: '^src/$1/' },
    },
    {
      name: 'health-knows-foundations-and-the-guard',
      comment: 'Modules hand in their own checks; health asks none of them.',
      severity: 'error',
      from: { path: '^src/health/' },
      to: { path: '^src/(people|contributions|notifications|jobs|idempotency)/' },
    },
    {
      name: 'migrations-stand-alone',
      comment: 'A migration is frozen: it must not change with the code.',
      severity: 'error',
      from: { path: '^migrations/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/' },
    },
    {
      name: 'product-needs-no-test-code',
      comment: 'Tests and development packages are not in the image.',
      severity: 'error',
      from: { path: '^(src|migrations)/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^(test|bench)/|node_modules',
        dependencyTypes: ['npm-dev', 'local'],
        // Types of packages are gone at run time, wherever they come from.
        pathNot: '^(src|migrations)/|node_modules/(@types|express)/',
      },
    },
    {
      name: 'declared-packages-only',
      comment: 'A package that another one brings along goes when that one does.',
      severity: 'error',
      from: { path: '^(src|migrations|test|bench)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'unresolvable',
      comment: 'An import that leads nowhere. Jest’s global setup uses what is built, which a new clone has not yet.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: 'dist/src/' },
    },
  ],
  options: {
    // Without this, type-only imports would escape.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
