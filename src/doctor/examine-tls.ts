import type { HttpSettings } from '../config/index.js';
import type { Finding } from '../health/index.js';

const check = 'TLS';
const LIMIT_MS = 10_000;

/** Does a password come here in the clear? Asks the church's own address, where CHURCH_DOMAIN names it. */
export async function examineTls({ domain, host, trustProxy }: HttpSettings): Promise<Finding> {
  if (domain !== undefined && domain !== 'localhost') return examineDomain(domain, trustProxy !== undefined);
  if (trustProxy !== undefined)
    return {
      check,
      result: 'ok',
      found: 'there is a proxy in front, by TRUST_PROXY; set CHURCH_DOMAIN to have it looked at',
    };
  const isLocal = ['127.0.0.1', '::1', 'localhost'].includes(host);
  if (isLocal) return { check, result: 'ok', found: `listens on ${host} only` };
  const advice =
    'docker-compose.yml publishes the port on 127.0.0.1 only: then all is well as long as no processor calls from ' +
    'elsewhere. Basic credentials must not cross a network in the clear: for callers from elsewhere put a proxy with TLS ' +
    'in front, and set CHURCH_DOMAIN and TRUST_PROXY (docs/installing.md, "HTTPS").';
  const found = `no proxy is known, and who reaches ${host} cannot be seen from here`;
  return { check, result: 'warning', found, advice };
}

async function examineDomain(domain: string, isProxyTrusted: boolean): Promise<Finding> {
  const fault = await askHealth(`https://${domain}`);
  if (fault !== undefined) {
    const advice =
      'See docker compose logs tls: the domain must lead to this machine, ports 80 and 443 be open. A machine that ' +
      'cannot call itself by its own domain gives this, too: then try from another one.';
    return { check, result: 'warning', found: `https://${domain} does not answer: ${fault}`, advice };
  }
  if ((await askHealth(`http://${domain}`)) === undefined) {
    const advice = 'Have the proxy refuse http://, or somebody will send a password in the clear for years.';
    return { check, result: 'fault', found: `http://${domain} is served without TLS`, advice };
  }
  if (isProxyTrusted) return { check, result: 'ok', found: `https://${domain} answers` };
  const advice = 'Set TRUST_PROXY=1, or all callers look like one, and share one limit of wrong passwords.';
  return { check, result: 'warning', found: `https://${domain} answers, but its proxy is not trusted`, advice };
}

/** @returns undefined when the service answers there, otherwise why not. */
async function askHealth(origin: string): Promise<string | undefined> {
  try {
    // eslint-disable-next-line no-restricted-globals -- the operator's own command, asking the operator's own domain
    const { ok, status } = await fetch(`${origin}/health/live`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    return ok ? undefined : `it answers ${status}`;
  } catch (error) {
    const { cause, message } = error as Error;
    // fetch hides what happened in the cause: an expired certificate, an unknown name.
    return cause instanceof Error ? cause.message : message;
  }
}
