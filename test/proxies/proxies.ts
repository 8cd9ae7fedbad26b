import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Places, type ProxyKind, shippedFile } from './running-proxy.js';

const CADDY: ProxyKind = {
  name: 'Caddy',
  program: 'caddy',
  versionArgs: ['version'],
  authority: 'storage/pki/authorities/local/root.crt',
  configure: (places) => {
    // Certificates that Caddy signs itself, on ports of this machine only.
    const options = [
      ...['admin off', 'skip_install_trust', 'local_certs', 'default_bind 127.0.0.1'],
      ...[`http_port ${places.http}`, `https_port ${places.https}`],
      `storage file_system ${join(places.directory, 'storage')}`,
    ];
    const sites = shippedFile('Caddyfile', {
      '127.0.0.1:3000': `127.0.0.1:${places.servicePort}`,
      '/var/www/html': places.website,
    });
    const file = write(places, 'Caddyfile', `{\n${options.map((line) => `\t${line}\n`).join('')}}\n\n${sites}`);
    return ['run', '--config', file, '--adapter', 'caddyfile'];
  },
};

const NGINX: ProxyKind = {
  name: 'nginx',
  program: 'nginx',
  versionArgs: ['-v'],
  configure: (places) => {
    const sites = shippedFile('nginx.conf', {
      '    listen [::]:443 ssl http2;\n': '',
      '    listen [::]:80;\n': '',
      'listen 443 ssl': `listen 127.0.0.1:${places.https} ssl`,
      'listen 80;': `listen 127.0.0.1:${places.http};`,
      '127.0.0.1:3000': `127.0.0.1:${places.servicePort}`,
      '/etc/letsencrypt': places.certificates,
      '/var/log/nginx': places.directory,
      '/var/www/html': places.website,
    });
    const bodies = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const main = [
      'daemon off;',
      `pid ${join(places.directory, 'nginx.pid')};`,
      `error_log ${join(places.directory, 'error.log')};`,
      'events { }',
      'http {',
      ...bodies.map((name) => `${name}_temp_path ${join(places.directory, name)};`),
      `include ${write(places, 'offertory.conf', sites)};`,
      '}',
    ];
    return ['-e', join(places.directory, 'error.log'), '-c', write(places, 'nginx.conf', main.join('\n'))];
  },
};

const UNUSED_PORT = 9;

/** What deploy/haproxy.cfg says to do for two services. */
const FOR_TWO_SERVICES = {
  '    server offertory 127.0.0.1:3000\n': '',
  ...Object.fromEntries(['option', 'http-check', 'timeout', 'server'].map((word) => [`    #${word} `, `    ${word} `])),
};

export const HAPROXY: ProxyKind = {
  name: 'HAProxy',
  program: 'haproxy',
  versionArgs: ['-v'],
  configure: (places) => {
    const sites = shippedFile('haproxy.cfg', {
      ':::443 v4v6': `127.0.0.1:${places.https}`,
      ':::80 v4v6': `127.0.0.1:${places.http}`,
      ...(places.secondPort !== undefined && FOR_TWO_SERVICES),
      '127.0.0.1:3000': `127.0.0.1:${places.servicePort}`,
      '127.0.0.1:3001': `127.0.0.1:${places.secondPort ?? UNUSED_PORT}`,
      '/etc/haproxy/certs': join(places.certificates, 'certs'),
    });
    const global = 'global\n    log stdout format raw local0\n\n';
    return ['-db', '-f', write(places, 'haproxy.cfg', global + sites)];
  },
};

const MODULES = ['mpm_event', 'authz_core', 'dir', 'ssl', 'http2', 'proxy', 'proxy_http', 'headers', 'rewrite'];

const APACHE: ProxyKind = {
  name: 'Apache',
  program: 'apache2',
  versionArgs: ['-v'],
  configure: (places) => {
    const sites = shippedFile('apache.conf', {
      '*:443': `*:${places.https}`,
      '*:80': `*:${places.http}`,
      '127.0.0.1:3000': `127.0.0.1:${places.servicePort}`,
      '/etc/letsencrypt': places.certificates,
      '/var/log/apache2': places.directory,
      '/var/www/html': places.website,
    });
    const main = [
      `DefaultRuntimeDir ${places.directory}`,
      `PidFile ${join(places.directory, 'apache.pid')}`,
      `ErrorLog ${join(places.directory, 'error.log')}`,
      ...MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
      'ServerName localhost',
      ...(process.geteuid?.() === 0 ? ['User www-data', 'Group www-data'] : []),
      `Listen 127.0.0.1:${places.https}`,
      `Listen 127.0.0.1:${places.http}`,
      '<Directory />\n    Require all denied\n</Directory>',
      `<Directory ${places.website}>\n    Require all granted\n</Directory>`,
      `Include ${write(places, 'offertory.conf', sites)}`,
    ];
    return ['-D', 'FOREGROUND', '-f', write(places, 'apache.conf', `${main.join('\n')}\n`)];
  },
};

export const PROXIES: readonly ProxyKind[] = [CADDY, NGINX, HAPROXY, APACHE];

function write({ directory }: Places, name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}
