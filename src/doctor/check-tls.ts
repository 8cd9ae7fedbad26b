import type { HttpSettings } from '../config/index.js';
import type { Finding } from '../health/index.js';

const check = 'TLS';
const LIMIT_MS = 10_000;

/** Checks whether passwords can arrive without encryption. Calls the church's address if CHURCH_DOMAIN is set. */
export async function checkTls({ domain, host, trustProxy }: HttpSettings): Promise<Finding> {
  if (domain !== undefined && domain !== 'localhost') return checkDomain(domain, trustProxy !== undefined);
  if (trustProxy !== undefined)
    return {
      check,
      result: 'ok',
      found: 'TRUST_PROXY says that there is a proxy; set CHURCH_DOMAIN to have it checked',
    };
  const isLocal = ['127.0.0.1', '::1', 'localhost'].includes(host);
  if (isLocal) return { check, result: 'ok', found: `listens on ${host} only` };
  const advice =
    'docker-compose.yml publishes the port on 127.0.0.1 only. That is safe if no processor calls from another machine. ' +
    'Basic credentials must not cross a network without encryption: for callers from other machines add a proxy with TLS, ' +
    'and set CHURCH_DOMAIN and TRUST_PROXY (docs/installing.md, "HTTPS").';
  const found = `no proxy is configured, and it is unknown who can reach ${host}`;
  return { check, result: 'warning', found, advice };
}

async function checkDomain(domain: string, isProxyTrusted: boolean): Promise<Finding> {
  const fault = await healthFault(`https://${domain}`);
  if (fault !== undefined) {
    const advice =
      'See docker compose logs tls. The domain must point to this machine, and ports 80 and 443 must be open. Some ' +
      'machines cannot call themselves by their own domain: then try from another one.';
    return { check, result: 'warning', found: `https://${domain} does not answer: ${fault}`, advice };
  }
  if ((await healthFault(`http://${domain}`)) === undefined) {
    const advice = 'Make the proxy refuse http://, or somebody may send a password without encryption for years.';
    return { check, result: 'fault', found: `http://${domain} is served without TLS`, advice };
  }
  if (isProxyTrusted) return { check, result: 'ok', found: `https://${domain} answers` };
  const advice = 'Set TRUST_PROXY=1. Otherwise all callers have one address, and share one limit of wrong passwords.';
  return { check, result: 'warning', found: `https://${domain} answers, but its proxy is not trusted`, advice };
}

/** @returns undefined when the service answers there, otherwise why not. */
async function healthFault(origin: string): Promise<string | undefined> {
  try {
    // eslint-disable-next-line no-restricted-globals -- the operator's own command, asking the operator's own domain
    const { ok, status } = await fetch(`${origin}/health/live`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    return ok ? undefined : `it answers ${status}`;
  } catch (error) {
    const { cause, message } = error as Error;
    // fetch has the reason in the cause: an expired certificate, an unknown name.
    return cause instanceof Error ? cause.message : message;
  }
}
