import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, posix } from 'node:path'
import { build as bundle } from 'rolldown'
import { printTypes } from './print-types.ts'

// Builds the published packages into dist folders: JavaScript, declarations, and a package.json whose `exports`
// refers to them.

interface Manifest {
  readonly name: string
  readonly description: string
  /** Source file (`./src/ports.ts`) by entry point (`./ports`). */
  readonly exports: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
}

interface SourceManifest extends Manifest {
  readonly private: true
  readonly devDependencies?: Readonly<Record<string, string>>
}

const ROOT = join(import.meta.dirname, '..')
const CACHE = join(ROOT, 'node_modules/.cache/build')
/** Each package follows those it imports. */
const PACKAGES = [
  ...['packages/core', 'packages/sql', 'packages/sqlite', 'packages/postgres', 'packages/node'],
  ...['packages/conformance', 'packages/client', 'packages/webhooks', 'apps/server'],
]
/** Files of a dependency that are copied into the package, which then does not depend on it. */
const COPIED = {
  'swagger-ui-dist': {
    folder: 'docs/swagger-ui',
    files: [
      'swagger-ui-bundle.js',
      'swagger-ui-bundle.js.LICENSE.txt',
      'swagger-ui.css',
      'oauth2-redirect.js',
      'package.json',
      'LICENSE',
      'NOTICE',
    ],
  },
} as const
/**
 * Bundled into one file, with what they import and without what is not used of that. The licences of all of it are
 * in a file beside it.
 */
const BUNDLED = {
  '@modelcontextprotocol/server': {
    file: 'mcp/protocol.js',
    licences: ['@modelcontextprotocol/server', '@modelcontextprotocol/core', 'zod'],
  },
  'prom-client': {
    file: 'observability/metrics/prometheus-client.js',
    licences: ['prom-client', 'tdigest', 'bintrees', '@opentelemetry/api'],
  },
} as const
/** Modules of packages without dependencies whose imports from the core are copied into them. */
const COPIED_FROM_CORE = {
  'packages/client': { types: 'api-types' },
  'packages/webhooks': { types: 'event-types', code: 'delivery-names' },
} as const
/** Large, and loaded only if the feature is configured: who configures it installs them. */
const OPTIONAL = /^@opentelemetry\//

const { repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const repositoryPage = repository.url.replace(/^git\+|\.git$/g, '')
const declarations: Record<string, readonly string[]> = {}
mkdirSync(CACHE, { recursive: true })
for (const path of PACKAGES) {
  const folder = join(ROOT, path)
  const {
    private: _,
    devDependencies: __,
    ...manifest
  }: SourceManifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  rmSync(join(folder, 'dist'), { recursive: true, force: true })
  compile(folder)
  copyAssets(folder)
  if (path in COPIED_FROM_CORE) await copyFromCore(path as keyof typeof COPIED_FROM_CORE)
  copyDependencies(manifest, folder)
  await bundleDependencies(manifest, folder)
  if (path === 'apps/server') buildConsole(folder)
  writeMetadata(manifest, folder)
  for (const [entryPoint, source] of sourcesOf(manifest.exports))
    declarations[posix.join(manifest.name, entryPoint)] = [join(folder, 'dist', outputPath(source, '.d.ts'))]
}

/**
 * Compiles a package with its own settings. Imports of other packages resolve to their built declarations,
 * since their sources are outside `rootDir`.
 */
function compile(folder: string): void {
  const settings = {
    extends: join(folder, 'tsconfig.json'),
    compilerOptions: {
      rootDir: join(folder, 'src'),
      outDir: join(folder, 'dist'),
      paths: declarations,
      composite: false,
      incremental: false,
      emitDeclarationOnly: false,
      noEmitOnError: true,
      sourceMap: true,
      inlineSources: true,
      declarationMap: false,
    },
    include: [join(folder, 'src')],
    exclude: [join(folder, 'src/**/*.test.ts')],
  }
  const file = join(CACHE, `${posix.basename(folder)}.json`)
  writeFileSync(file, JSON.stringify(settings))
  execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '--project', file], {
    stdio: 'inherit',
  })
}

/** Copies what the code reads at run time: style sheets, scripts, images. */
function copyAssets(folder: string): void {
  cpSync(join(folder, 'src'), join(folder, 'dist'), {
    recursive: true,
    filter: (file) => !file.endsWith('.ts'),
  })
}

async function copyFromCore(path: keyof typeof COPIED_FROM_CORE): Promise<void> {
  const folder = join(ROOT, path)
  const { types, ...rest } = COPIED_FROM_CORE[path]
  writeFileSync(
    join(folder, `dist/${types}.d.ts`),
    printTypes(join(ROOT, `packages/core/src/${types}.ts`), join(ROOT, 'packages/core/tsconfig.json')),
  )
  if (!('code' in rest)) return
  const file = join(folder, `dist/${rest.code}.js`)
  await bundle({ input: join(folder, `src/${rest.code}.ts`), cwd: folder, output: { file, sourcemap: true } })
}

function copyDependencies({ dependencies = {} }: Manifest, folder: string): void {
  for (const [name, { folder: target, files }] of Object.entries(COPIED)) {
    if (!(name in dependencies)) continue
    for (const file of files)
      cpSync(join(ROOT, 'node_modules', name, file), join(folder, 'dist', target, file))
  }
}

async function bundleDependencies({ dependencies = {} }: Manifest, folder: string): Promise<void> {
  for (const [name, { file, licences }] of Object.entries(BUNDLED)) {
    if (!(name in dependencies)) continue
    const target = join(folder, 'dist', file)
    const texts = licences.map((each) => readFileSync(join(ROOT, 'node_modules', each, 'LICENSE'), 'utf8'))
    writeFileSync(`${target}.LICENSE.txt`, texts.join('\n\n'))
    for (const importer of globSync(join(posix.dirname(target), '*.js'))) {
      const source = readFileSync(importer, 'utf8')
      writeFileSync(importer, source.replaceAll(`'${name}'`, `'./${posix.basename(file)}'`))
    }
    await bundle({ input: name, cwd: folder, platform: 'node', output: { file: target, format: 'esm' } })
  }
}

/** The console is part of the package of the server, which serves it. */
function buildConsole(folder: string): void {
  const target = join(folder, 'dist/console/app')
  execFileSync(
    process.execPath,
    [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--outDir', target, '--logLevel', 'warn'],
    { cwd: join(ROOT, 'apps/console'), stdio: 'inherit' },
  )
}

function writeMetadata({ dependencies = {}, ...manifest }: Manifest, folder: string): void {
  const entryPoints = sourcesOf(manifest.exports).map(([entryPoint, source]) => {
    return [
      entryPoint,
      { types: `./${outputPath(source, '.d.ts')}`, default: `./${outputPath(source, '.js')}` },
    ]
  })
  const programs = Object.entries(manifest.bin ?? {}).map(([name, source]) => [
    name,
    outputPath(source, '.js'),
  ])
  const required = Object.entries(dependencies).filter(
    ([name]) => !OPTIONAL.test(name) && !(name in COPIED) && !(name in BUNDLED),
  )
  const optional = Object.entries(dependencies).filter(([name]) => OPTIONAL.test(name))
  const published = {
    ...manifest,
    repository: { ...repository, directory: posix.relative(ROOT, folder) },
    homepage: `${repositoryPage}#readme`,
    ...(manifest.bin && { bin: Object.fromEntries(programs) }),
    exports: { ...Object.fromEntries(entryPoints), './package.json': './package.json' },
    ...(required.length > 0 && { dependencies: Object.fromEntries(required) }),
    ...(optional.length > 0 && {
      peerDependencies: Object.fromEntries(optional),
      peerDependenciesMeta: Object.fromEntries(optional.map(([name]) => [name, { optional: true }])),
    }),
  }
  writeFileSync(join(folder, 'dist/package.json'), `${JSON.stringify(published, null, 2)}\n`)
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'dist/LICENSE'))
  const readme = join(folder, 'README.md')
  // The documents are not part of a package.
  const text = existsSync(readme)
    ? readFileSync(readme, 'utf8').replaceAll('](../../', `](${repositoryPage}/blob/main/`)
    : `# ${manifest.name}\n\n${manifest.description}.\n`
  writeFileSync(join(folder, 'dist/README.md'), text)
}

/** The entry points that are code. */
function sourcesOf(exports: Manifest['exports']): readonly (readonly [string, string])[] {
  return Object.entries(exports).filter(([, source]) => source.endsWith('.ts'))
}

/** Converts `./src/memory/index.ts` to `memory/index.js`. */
function outputPath(source: string, extension: '.js' | '.d.ts'): string {
  return posix.relative('src', source).replace(/\.ts$/, extension)
}
