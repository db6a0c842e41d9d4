import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'

// Builds the published packages into packages/<name>/dist: JavaScript, declarations, and a package.json whose
// `exports` refers to them.

interface Manifest {
  readonly name: string
  readonly description: string
  /** Source file (`./src/ports.ts`) by entry point (`./ports`). */
  readonly exports: Readonly<Record<string, string>>
}

const ROOT = join(import.meta.dirname, '..')
const CACHE = join(ROOT, 'node_modules/.cache/build')
/** Each package follows those it imports. */
const PACKAGES = ['core', 'sql', 'sqlite', 'postgres', 'node', 'conformance', 'client', 'webhooks']

const declarations: Record<string, readonly string[]> = {}
mkdirSync(CACHE, { recursive: true })
for (const name of PACKAGES) {
  const folder = join(ROOT, 'packages', name)
  const { private: _, ...manifest }: Manifest & { private: true } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  rmSync(join(folder, 'dist'), { recursive: true, force: true })
  compile(name, folder)
  writeMetadata(manifest, folder)
  for (const [entryPoint, source] of Object.entries(manifest.exports)) {
    declarations[posix.join(manifest.name, entryPoint)] = [join(folder, 'dist', outputPath(source, '.d.ts'))]
  }
}

/**
 * Compiles a package with its own settings. Imports of other packages resolve to their built declarations,
 * since their sources are outside `rootDir`.
 */
function compile(name: string, folder: string): void {
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
  const file = join(CACHE, `${name}.json`)
  writeFileSync(file, JSON.stringify(settings))
  execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '--project', file], {
    stdio: 'inherit',
  })
}

function writeMetadata(manifest: Manifest, folder: string): void {
  const entryPoints = Object.entries(manifest.exports).map(([entryPoint, source]) => {
    return [
      entryPoint,
      { types: `./${outputPath(source, '.d.ts')}`, default: `./${outputPath(source, '.js')}` },
    ]
  })
  const published = { ...manifest, exports: Object.fromEntries(entryPoints) }
  writeFileSync(join(folder, 'dist/package.json'), `${JSON.stringify(published, null, 2)}\n`)
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'dist/LICENSE'))
  const readme = join(folder, 'README.md')
  const text = existsSync(readme)
    ? readFileSync(readme, 'utf8')
    : `# ${manifest.name}\n\n${manifest.description}.\n`
  writeFileSync(join(folder, 'dist/README.md'), text)
}

/** Converts `./src/memory/index.ts` to `memory/index.js`. */
function outputPath(source: string, extension: '.js' | '.d.ts'): string {
  return posix.relative('src', source).replace(/\.ts$/, extension)
}
