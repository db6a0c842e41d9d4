import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { access, constants, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify, stripVTControlCharacters } from 'node:util'
import { IS_SOURCE } from '../process/program-names.ts'

/** What the build of the console depends on, in a checkout. */
const SOURCES = [
  'apps/console/{package.json,vite.config.ts}',
  'apps/console/src/**/*.{ts,tsx,css}',
  'packages/client/src/**/*.ts',
  'packages/core/src/{browser,kernel/fold-text,schema/currency}.ts',
]

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const CONSOLE_FOLDER = join(ROOT, 'apps/console')
/** Where `npm run build:console` puts the build, and the file in it that names its sources. */
const BUILD_FOLDER = join(CONSOLE_FOLDER, 'dist')
const SOURCES_FILE = 'sources.txt'
const CACHE_FOLDER = join(ROOT, 'node_modules/.cache/console')
const BUILD_ADVICE = `Run "npm ci && npm run build:console && npm ci --omit=dev" in ${ROOT} as the user who owns it, or set CONSOLE=false.`

/**
 * Returns the folder of the built console. The published package and the container image contain it, and in a
 * checkout `npm run build:console` makes it. If it is missing or of other sources, a checkout with all
 * dependencies builds it here.
 * @param onBuild called before it is built, which takes about a second
 * @throws Error with a message that says what to do
 */
export async function findConsoleBuild(onBuild: () => void): Promise<string> {
  const folder = await findCurrentBuild()
  if (folder !== undefined) return folder
  onBuild()
  const target = join(CACHE_FOLDER, await hashSources())
  await buildConsole(target)
  return target
}

/** Returns the folder of a build of this version; undefined if there is none. */
export async function findCurrentBuild(): Promise<string | undefined> {
  if (!IS_SOURCE) return fileURLToPath(new URL('./app', import.meta.url))
  if (!existsSync(join(CONSOLE_FOLDER, 'src'))) return BUILD_FOLDER
  const hash = await hashSources()
  const builtFrom = await readFile(join(BUILD_FOLDER, SOURCES_FILE), 'utf8').catch(() => undefined)
  if (builtFrom === hash) return BUILD_FOLDER
  const cached = join(CACHE_FOLDER, hash)
  return existsSync(cached) ? cached : undefined
}

/** @throws Error with a message that says what to do, if `findConsoleBuild` could not build it */
export async function assertBuildable(): Promise<void> {
  findVite()
  const writable = [CACHE_FOLDER, dirname(CACHE_FOLDER), dirname(dirname(CACHE_FOLDER))].find(existsSync)
  await access(writable ?? ROOT, constants.W_OK).catch((error: Error) => {
    throw new Error(`The console is not built, and cannot be: ${error.message}. ${BUILD_ADVICE}`)
  })
}

/** Builds the console for installations whose service may not write to the checkout. */
export async function buildForInstallation(): Promise<string> {
  await rm(BUILD_FOLDER, { recursive: true, force: true })
  await buildConsole(BUILD_FOLDER)
  return BUILD_FOLDER
}

async function hashSources(): Promise<string> {
  const hash = createHash('sha256')
  const files = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).sort()
  const contents = await Promise.all(files.map((file) => readFile(join(ROOT, file))))
  for (const [index, content] of contents.entries())
    hash.update(`${files[index]} ${content.length}\n`).update(content)
  return hash.digest('hex').slice(0, 16)
}

/** Several processes may build at once: the first to finish is kept. */
async function buildConsole(target: string): Promise<void> {
  const unfinished = `${target}.${process.pid}`
  const vite = findVite()
  try {
    await mkdir(dirname(target), { recursive: true })
    await promisify(execFile)(
      process.execPath,
      [vite, 'build', '--outDir', unfinished, '--logLevel', 'warn'],
      { cwd: CONSOLE_FOLDER },
    )
    await writeFile(join(unfinished, SOURCES_FILE), await hashSources())
    await rename(unfinished, target)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true }).catch(() => {})
    if (existsSync(target)) return
    throw new Error(`The console could not be built: ${describeFailure(error)} ${BUILD_ADVICE}`)
  }
}

function describeFailure(error: unknown): string {
  const { stderr = '' } = error as { readonly stderr?: string }
  const reason = stripVTControlCharacters(stderr).trim() || (error as Error).message
  return /[.!]$/.test(reason) ? reason : `${reason}.`
}

function findVite(): string {
  try {
    const manifest = createRequire(join(CONSOLE_FOLDER, 'package.json')).resolve('vite/package.json')
    return join(dirname(manifest), 'bin/vite.js')
  } catch {
    throw new Error(`The console is not built, and what builds it is not installed. ${BUILD_ADVICE}`)
  }
}
