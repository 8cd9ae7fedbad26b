import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/** The one that .ci/install-proxies installs, or another one. */
const PATH = `${new URL('../../node_modules/.cache/promtool', import.meta.url).pathname}:${process.env['PATH'] ?? ''}`;
const RULES = new URL('../../deploy/prometheus-rules.yml', import.meta.url).pathname;

const promtool = (...args: string[]): { status: number | null; output: string } => {
  const { status, stdout, stderr } = spawnSync('promtool', args, { env: { PATH }, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
};
const isThere = promtool('--version').status === 0;

/** Series by name, in promtool's notation: first value, change in each minute, minutes. */
type Series = Readonly<Record<string, string>>;

const JOB = 'job="offertory",instance="one"';
const CALLS = `offertory_http_request_seconds_count{${JOB},method="POST",route="/Api/AddContribution"`;
const BUCKET = `offertory_http_request_seconds_bucket{${JOB},method="POST",route="/Api/AddContribution",status="200"`;
const REFUSED = `offertory_refusals_total{${JOB}`;
const HTTPS = 'job="offertory-https",instance="https://giving.example.org"';

/** A service without troubles: 60 calls a minute, of which one is refused, and a certificate for 60 days. */
const WELL: Series = {
  [`up{${JOB}}`]: '1+0x300',
  [`offertory_ready{${JOB}}`]: '1+0x300',
  [`offertory_faults_total{${JOB}}`]: '0+0x300',
  [`${CALLS},status="200"}`]: '0+59x300',
  [`${CALLS},status="503"}`]: '0+0x300',
  [`${BUCKET},le="0.5"}`]: '0+59x300',
  [`${BUCKET},le="2.5"}`]: '0+59x300',
  [`${BUCKET},le="+Inf"}`]: '0+59x300',
  [`${REFUSED},code="already_reversed",user="api"}`]: '0+1x300',
  [`${REFUSED},code="invalid_request",user="api"}`]: '0+0x300',
  [`${REFUSED},code="database_unavailable",user=""}`]: '0+0x300',
  [`${REFUSED},code="unauthenticated",user=""}`]: '0+6x300',
  [`offertory_deliveries{${JOB},status="failed"}`]: '3+0x300',
  [`offertory_delivery_oldest_pending_seconds{${JOB}}`]: '20+0x300',
  [`offertory_notices_without_recipient{${JOB}}`]: '0+0x300',
  [`offertory_webhook_deliveries{${JOB},status="failed"}`]: '3+0x300',
  [`offertory_webhook_oldest_pending_seconds{${JOB}}`]: '20+0x300',
  [`offertory_queue_oldest_due_seconds{${JOB},queue="notify-finance"}`]: '1+0x300',
  [`offertory_database_connections_awaited{${JOB}}`]: '0+0x300',
  [`offertory_audit_unsealed_seconds{${JOB}}`]: '40+0x300',
  [`offertory_deposits{${JOB},status="differs"}`]: '0+0x300',
  [`offertory_ids_used_ratio{${JOB},sequence="contribution_id_seq"}`]: '0.01+0x300',
  [`offertory_figures_missing{${JOB},source="queue"}`]: '0+0x300',
  [`probe_success{${HTTPS}}`]: '1+0x300',
  [`probe_ssl_earliest_cert_expiry{${HTTPS}}`]: `${60 * 86_400}+0x300`,
};

/** The alert that each trouble must raise, and no other one. The troubles begin after an hour, unless they are steady. */
const TROUBLES: readonly (readonly [alert: string, series: Series])[] = [
  ['OffertoryDown', { [`up{${JOB}}`]: '1+0x60 0+0x240' }],
  ['OffertoryMissing', { [`up{${JOB}}`]: '_x300' }],
  ['OffertoryNotReady', { [`offertory_ready{${JOB}}`]: '1+0x60 0+0x240' }],
  ['OffertoryUnavailable', { [`${REFUSED},code="database_unavailable",user=""}`]: '0+0x60 10+10x240' }],
  ['OffertoryFaults', { [`offertory_faults_total{${JOB}}`]: '0+0x118 1+0x180' }],
  ['OffertoryServerErrors', { [`${CALLS},status="503"}`]: '0+0x60 1+1x240' }],
  ['OffertorySlow', { [`${BUCKET},le="0.5"}`]: '0+50x300' }],
  ['ProcessorRefused', { [`${REFUSED},code="invalid_request",user="api"}`]: '0+0x60 1+1x240' }],
  ['PasswordGuessing', { [`${REFUSED},code="unauthenticated",user=""}`]: '0+0x60 90+90x240' }],
  ['NoticesFailed', { [`offertory_deliveries{${JOB},status="failed"}`]: '3+0x100 4+0x200' }],
  ['NoticesLate', { [`offertory_delivery_oldest_pending_seconds{${JOB}}`]: '0+60x300' }],
  ['NoticeWithoutRecipient', { [`offertory_notices_without_recipient{${JOB}}`]: '0+0x60 1+0x240' }],
  ['WebhooksFailed', { [`offertory_webhook_deliveries{${JOB},status="failed"}`]: '3+0x100 4+0x200' }],
  ['WebhooksLate', { [`offertory_webhook_oldest_pending_seconds{${JOB}}`]: '0+60x300' }],
  ['QueueStalled', { [`offertory_queue_oldest_due_seconds{${JOB},queue="notify-finance"}`]: '0+60x300' }],
  ['ConnectionsAwaited', { [`offertory_database_connections_awaited{${JOB}}`]: '0+0x60 2+0x240' }],
  ['AuditTrailNotSealed', { [`offertory_audit_unsealed_seconds{${JOB}}`]: '0+60x300' }],
  ['IdsRunOut', { [`offertory_ids_used_ratio{${JOB},sequence="contribution_id_seq"}`]: '0.6+0x300' }],
  ['MetricsMissing', { [`offertory_figures_missing{${JOB},source="queue"}`]: '0+0x60 1+0x240' }],
  ['CertificateEnds', { [`probe_ssl_earliest_cert_expiry{${HTTPS}}`]: `${13 * 86_400}+0x300` }],
  ['NotReachable', { [`probe_success{${HTTPS}}`]: '1+0x60 0+0x240' }],
];

/** Two hours after the beginning. */
const NOW = '120m';

/** The same series of a church, as Prometheus stores them if each church has a label. */
const ofChurch = (church: string, series: Series): Series =>
  Object.fromEntries(
    Object.entries(series).map(([name, values]) => [name.replace(JOB, `${JOB},church="${church}"`), values]),
  );

/** Runs promtool's tests: after `evaluated` exactly these alerts must fire, each with these labels and its name. */
function assertFiring(
  series: Series,
  alerts: readonly string[],
  { step = '1m', evaluated = NOW, church = '' } = {},
): void {
  const directory = mkdtempSync(join(tmpdir(), 'offertory-alerts-'));
  const file = join(directory, 'tests.yml');
  try {
    const label = church === '' ? '' : `,church="${church}"`;
    const expected = alerts.map((name) => ({ labels: `{alertname="${name}"${label}}`, value: 1 }));
    const test = {
      interval: step,
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      promql_expr_test: [
        {
          expr: 'count by (alertname, church) (ALERTS{alertstate="firing"})',
          eval_time: evaluated,
          exp_samples: expected,
        },
      ],
    };
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: step, tests: [test] }));
    expect(promtool('test', 'rules', file)).toEqual({ status: 0, output: expect.stringContaining('SUCCESS') });
  } finally {
    rmSync(directory, { recursive: true });
  }
}

(isThere ? describe : describe.skip)('the alerts of Prometheus (skipped only without promtool)', () => {
  it('are valid, and each has a test', () => {
    const names = [...readFileSync(RULES, 'utf8').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
    expect(promtool('check', 'rules', RULES)).toEqual({
      status: 0,
      output: expect.stringContaining(`SUCCESS: ${names.length} rules found`),
    });
    expect([...TROUBLES.map(([name]) => name), 'DepositsDiffer'].sort()).toEqual(names.sort());
  });

  it('are silent while all is well', () => {
    assertFiring(WELL, []);
  });

  it.each(TROUBLES)('%s fires, and no other', (alert, series) => {
    for (const name of Object.keys(series)) expect(WELL).toHaveProperty([name]);
    assertFiring({ ...WELL, ...series }, [alert]);
  });

  // Nobody is called missing whom Prometheus does not know. Certificates are looked at by domain.
  const ofOneChurch = TROUBLES.filter(
    ([name, series]) => name !== 'OffertoryMissing' && Object.keys(series).every((key) => key.includes(JOB)),
  );
  it.each(ofOneChurch)('%s names the church that is in trouble beside another', (alert, series) => {
    const well = { ...ofChurch('grace', WELL), ...ofChurch('hope', WELL) };
    assertFiring({ ...well, ...ofChurch('hope', series) }, [alert], { church: 'hope' });
  });

  it('DepositsDiffer fires after two weeks', () => {
    const series = { [`up{${JOB}}`]: '1+0x400', [`offertory_deposits{${JOB},status="differs"}`]: '2+0x400' };
    assertFiring(series, [], { step: '1h', evaluated: '13d' });
    assertFiring(series, ['DepositsDiffer'], { step: '1h', evaluated: '15d' });
  });
});
