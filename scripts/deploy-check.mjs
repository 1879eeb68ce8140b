import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { ended, StepFailed, startChild } from './child-processes.mjs';
import { npm } from './install.mjs';
import { node26 } from './node-26.mjs';
import { inProject, requireFromRoot } from './project.mjs';
import { asCommand, setUp } from './set-up.mjs';

// `npm run deploy:check`. api/src/deploy.test.ts checks ports, settings and commands.

const DOCKERFILE_LINTER = 'dockerfile-utils@0.16.3';
/** systemd's exposure in tenths; below 2.0 counts as well sandboxed. */
const MOST_EXPOSED = '20';

const kinds = {
  'apps/v1 Deployment': ['kubernetes-types/apps/v1', 'Deployment'],
  'v1 PersistentVolumeClaim': ['kubernetes-types/core/v1', 'PersistentVolumeClaim'],
  'v1 Service': ['kubernetes-types/core/v1', 'Service'],
  'v1 Secret': ['kubernetes-types/core/v1', 'Secret'],
  'networking.k8s.io/v1 Ingress': ['kubernetes-types/networking/v1', 'Ingress'],
  'policy/v1 PodDisruptionBudget': ['kubernetes-types/policy/v1', 'PodDisruptionBudget'],
};

await asCommand(async () => {
  await setUp({ build: false, tools: true });
  const { command, before } = npm();
  const linter = ['exec', '--yes', `--package=${DOCKERFILE_LINTER}`, '--', 'dockerfile-utils', 'lint'];
  const unit = 'deploy/parts-forge.service';
  const results = [
    await check('Dockerfile', command, [...before, ...linter, 'deploy/Dockerfile']),
    await check('compose.yaml', 'docker', ['compose', '-f', 'deploy/compose.yaml', 'config', '--quiet'], {
      isThere: ['docker', ['compose', 'version']],
    }),
    await checkManifests(),
    // systemd exits with 0 although it ignores settings.
    await check('parts-forge.service', 'systemd-analyze', ['verify', unit], { isSilent: true }),
    await check('parts-forge.service, its sandbox', 'systemd-analyze', [
      'security',
      '--offline=yes',
      `--threshold=${MOST_EXPOSED}`,
      '--no-pager',
      unit,
    ]),
  ];
  return results.includes('wrong') ? 1 : 0;
});

async function check(what, command, args, { isThere, isSilent = false } = {}) {
  try {
    if (isThere && (await run(...isThere)).status !== 0)
      return tell(what, 'not run', `${isThere.flat(2).join(' ')} fails`);
    const { status, output } = await run(command, args);
    return status === 0 && !(isSilent && output.trim()) ? tell(what, 'right') : tell(what, 'wrong', output);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return tell(what, 'not run', `${command} is not installed`);
  }
}

async function run(command, args) {
  const child = startChild(command, args, { cwd: inProject(), stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  return { status: await ended(child), output };
}

function tell(what, verdict, reason = '') {
  process.stdout.write(`${verdict.padEnd(8)}${what}${reason && `: ${reason.trim()}`}\n`);
  return verdict;
}

/** As TypeScript values: unknown fields and wrong types are compile errors. */
async function checkManifests() {
  const folder = inProject('deploy', 'kubernetes');
  const lines = readdirSync(folder).flatMap((name) =>
    requireFromRoot('yaml')
      .parseAllDocuments(readFileSync(`${folder}/${name}`, 'utf8'))
      .map((document, index) => {
        if (document.errors.length > 0) throw new StepFailed(`${name}: ${document.errors[0].message}`);
        const manifest = document.toJS();
        const kind = `${manifest.apiVersion} ${manifest.kind}`;
        if (!(kind in kinds))
          throw new StepFailed(`${name}: nobody has said where the types of ${kind} are.`);
        const [module, type] = kinds[kind];
        const variable = `${name.replaceAll(/\W/g, '_')}_${index}`;
        return `export const ${variable}: import('${module}').${type} = ${JSON.stringify(manifest, null, 2)};`;
      }),
  );
  // There the compiler finds the packages' types.
  mkdirSync(inProject('.cache'), { recursive: true });
  const file = inProject('.cache', 'kubernetes-manifests.ts');
  writeFileSync(file, `${lines.join('\n')}\n`);
  const compiler = requireFromRoot.resolve('typescript/package.json').replace('package.json', 'bin/tsc');
  const options = [
    '--noEmit',
    '--ignoreConfig',
    '--strict',
    '--skipLibCheck',
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
  ];
  return check('kubernetes', node26(), [compiler, ...options, file]);
}
