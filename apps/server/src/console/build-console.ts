import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
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

/**
 * Returns the folder of the built console. The published package and the container image contain it. In a checkout it
 * is built when its sources have changed.
 * @param onBuild called before it is built, which takes about a second
 * @throws Error with a message that says what to do
 */
export async function findConsoleBuild(onBuild: () => void): Promise<string> {
  if (!IS_SOURCE) return fileURLToPath(new URL('./app', import.meta.url))
  const root = fileURLToPath(new URL('../../../..', import.meta.url))
  const consoleFolder = join(root, 'apps/console')
  if (!existsSync(join(consoleFolder, 'src'))) return join(consoleFolder, 'dist')
  const folder = join(root, 'node_modules/.cache/console', await hashSources(root))
  if (existsSync(folder)) return folder
  onBuild()
  await buildConsole(consoleFolder, folder)
  return folder
}

async function hashSources(root: string): Promise<string> {
  const hash = createHash('sha256')
  const files = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root })).sort()
  const contents = await Promise.all(files.map((file) => readFile(join(root, file))))
  for (const [index, content] of contents.entries())
    hash.update(`${files[index]} ${content.length}\n`).update(content)
  return hash.digest('hex').slice(0, 16)
}

/** Several processes may build at once: the first to finish is kept. */
async function buildConsole(consoleFolder: string, target: string): Promise<void> {
  const unfinished = `${target}.${process.pid}`
  const vite = findVite(consoleFolder)
  try {
    await mkdir(dirname(target), { recursive: true })
    await promisify(execFile)(
      process.execPath,
      [vite, 'build', '--outDir', unfinished, '--logLevel', 'warn'],
      { cwd: consoleFolder },
    )
    await rename(unfinished, target)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (existsSync(target)) return
    const { stderr = '' } = error as { readonly stderr?: string }
    const reason = stripVTControlCharacters(stderr).trim() || String(error)
    throw new Error(`The console could not be built: ${reason}`)
  }
}

function findVite(consoleFolder: string): string {
  try {
    const manifest = createRequire(join(consoleFolder, 'package.json')).resolve('vite/package.json')
    return join(dirname(manifest), 'bin/vite.js')
  } catch {
    throw new Error('What builds the console is not installed. Run "npm ci".')
  }
}
