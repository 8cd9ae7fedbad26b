import { describe, expect, it } from '@jest/globals';
import { noteSecret } from '../support/kept-logs.js';
import { PROTOCOLS } from './callers.js';
import { basic, bodyOf, describeBehindProxies, KB, PROCESSOR } from './stage.js';

/** How many bodies of 3 MB are refused, each followed by a call of another caller, and how many calls come at the end. */
const REFUSED_BODIES = 25;
const CALLS_AFTERWARDS = 25;

/** What strangers do: as curl does, the second one stops sending when it has the answer, if the proxy gives it one. */
const STRANGERS = [
  { stranger: 'sends all of it', pauses: {} },
  { stranger: 'stops in the middle', pauses: { pausesAfter: 100 * KB } },
];

/** Who passes on an early answer while the caller has stopped in the middle of its body. The others wait for the rest first. */
const ANSWER_EARLY = ['Caddy over HTTP/2', 'HAProxy over HTTP/1.1', 'HAProxy over HTTP/2'];

/** The address from which the tests call, and one from which nobody does. */
const [OURS, FORGED] = ['127.0.0.1', '203.0.113.7'];
/** Tokens that are accepted from one of these addresses only. */
const tokens = new Map<string, string>();

describeBehindProxies(
  (stage) => {
    describe.each(PROTOCOLS)('over %s', (protocol) => {
      it('a gift is recorded, and reversed with a/b as source', async () => {
        const added = await stage.call(protocol, stage.addition());
        expect(added.status).toBe(200);
        const id = bodyOf(added)['ContributionId'] as number;
        const path = `/Api/ReverseContribution/${id}/a%2Fb`;
        const reversed = await stage.call(protocol, { method: 'POST', path, headers: basic(PROCESSOR) });
        expect([reversed.status, bodyOf(reversed)]).toEqual([
          200,
          expect.objectContaining({ contributionId: id, source: 'API Reverse (source=a/b)' }),
        ]);
      });

      it.each(STRANGERS)(
        'a refused body of 3 MB does not spoil the calls of others: it $stranger',
        async ({ pauses }) => {
          const [stranger, processor] = [stage.open(protocol), stage.open(protocol)];
          const addition = stage.addition();
          const call = { ...addition, path: stage.base + addition.path };
          const strange = { ...call, ...pauses, headers: {}, body: Buffer.alloc(3_000 * KB, ' ') };
          const isAnswered = !('pausesAfter' in pauses) || ANSWER_EARLY.includes(`${stage.kind.name} over ${protocol}`);
          const statuses: number[] = [];
          for (let i = 0; i < REFUSED_BODIES; i++) {
            if (isAnswered) expect((await stranger.call(strange)).status).toBe(401);
            else await stranger.giveUp(strange);
            statuses.push((await processor.call(call)).status);
          }
          for (let i = 0; i < CALLS_AFTERWARDS; i++) statuses.push((await processor.call(call)).status);
          expect(statuses).toEqual(Array(REFUSED_BODIES + CALLS_AFTERWARDS).fill(200));
        },
      );

      it('the address of the caller arrives, and no caller can forge it', async () => {
        const statuses: Record<string, number> = {};
        for (const [address, token] of tokens) {
          const headers = {
            Authorization: `Bearer ${token}`,
            'X-Forwarded-For': FORGED,
            'X-Real-IP': FORGED,
            Forwarded: `for=${FORGED}`,
          };
          statuses[address] = (await stage.call(protocol, { path: '/Api/Funds', headers })).status;
        }
        expect(statuses).toEqual({ [OURS]: 200, [FORGED]: 401 });
      });
    });

    it('readiness is not forwarded, and liveness is', async () => {
      for (const path of ['/health/ready', '/health/ready/', '/health/ready?x', '/HEALTH/Ready']) {
        const { status, headers } = await stage.call('HTTP/2', { path });
        expect([path, status, headers['x-request-id']]).toEqual([path, 404, undefined]);
      }
      const { status, headers } = await stage.call('HTTP/2', { path: '/health/live' });
      expect([status, headers['x-request-id']]).toEqual([200, expect.any(String)]);
    });

    it('plain HTTP gets 403, and is not redirected', async () => {
      const { status, headers, text } = await stage.proxy.plain(stage.site.name, `${stage.base}/Api/AddContribution`);
      expect([status, text, headers.location, headers['x-request-id']]).toEqual([
        403,
        'Use https.',
        undefined,
        undefined,
      ]);
    });

    it('a host of its own may only be called over TLS in future, and another site stays as it is', async () => {
      const service = await stage.call('HTTP/2', { path: '/health/live' });
      const hsts = service.headers['strict-transport-security'];
      expect(hsts).toBe(stage.base === '' ? 'max-age=31536000' : undefined);
      const site = await stage.open('HTTP/2').call({ path: '/index.html' });
      expect(site.headers['x-request-id'] === undefined).toBe(stage.base !== '');
    });
  },
  async (run) => {
    for (const address of [OURS, FORGED]) {
      const printed = await run(['token', 'create', 'api', '--from', `${address}/32`, '--json']);
      const { token } = JSON.parse(printed) as { token: string };
      noteSecret(token);
      tokens.set(address, token);
    }
  },
);
