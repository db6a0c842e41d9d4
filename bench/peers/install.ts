import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { onExit } from '../processes.ts'

const FOLDER = import.meta.dirname
const MODULES = join(FOLDER, 'node_modules')
const MARK_FILE = join(MODULES, '.installed')
/** The only module that must be compiled. The others come with binaries. */
const COMPILED = 'sqlite3'
const HELP = `Directus could not be installed: see npm's output above. It requires the npm registry, and a C++ compiler, make and Python 3
for SQLite's driver (on Debian: apt-get install build-essential python3). Then run this again. Nothing else in the repository requires it.`

/**
 * Installs Directus below this folder, unless the version of the lock file is installed.
 * @returns its version and its entry point
 * @throws Error with advice if the installation fails
 */
export async function installDirectus(
  log: (text: string) => void,
): Promise<{ readonly version: string; readonly program: string }> {
  const expectedMark = computeMark(readFileSync(join(FOLDER, 'package-lock.json')))
  if (!existsSync(MARK_FILE) || readFileSync(MARK_FILE, 'utf8') !== expectedMark) {
    log('Installing Directus into bench/peers/node_modules, 700 MB; once, and it takes some minutes …')
    await npm('ci')
    await npm('rebuild', COMPILED, '--ignore-scripts=false')
    writeFileSync(MARK_FILE, expectedMark)
  }
  const { version } = JSON.parse(readFileSync(join(MODULES, 'directus/package.json'), 'utf8')) as {
    version: string
  }
  // Its `cli.js` would check the registry for updates first.
  return { version, program: join(MODULES, '@directus/api/dist/cli/run.js') }
}

function computeMark(lock: Buffer): string {
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform} ${process.arch} ${process.versions.modules}`
}

/** Runs npm in this folder, even within another npm run. All its processes end with the benchmark. */
async function npm(...args: readonly string[]): Promise<void> {
  const child = spawn('npm', [...args, '--prefix', FOLDER, '--workspaces=false'], {
    cwd: FOLDER,
    env: npmEnvironment(),
    stdio: ['ignore', 2, 2],
    detached: true,
  })
  let isRunning = true
  onExit(() => isRunning && child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'))
  try {
    const [code] = await once(child, 'exit')
    if (code === 0) return
  } catch {
    throw new Error('Directus could not be installed: npm, which comes with Node.js, is not on the PATH.')
  } finally {
    isRunning = false
  }
  throw new Error(HELP)
}

/**
 * Returns an environment without the variables of an outer npm. Modules are compiled from the registry's
 * sources, with the headers of this Node.js.
 */
function npmEnvironment(): NodeJS.ProcessEnv {
  const ownVariables = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))
  const nodeRoot = dirname(dirname(process.execPath))
  return {
    ...Object.fromEntries(ownVariables),
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    npm_config_build_from_source: 'true',
    ...(existsSync(join(nodeRoot, 'include/node/node_api.h')) && { npm_config_nodedir: nodeRoot }),
  }
}
