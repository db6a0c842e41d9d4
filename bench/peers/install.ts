import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { atEnd } from '../processes.ts'

const FOLDER = import.meta.dirname
const MODULES = join(FOLDER, 'node_modules')
const MARK = join(MODULES, '.installed')
/** Its other compiled modules come with binaries in their packages. */
const COMPILED = 'sqlite3'
const HELP = `Directus could not be installed: what npm says of it stands above. It takes the npm registry, and a C++ compiler, make and Python 3
for SQLite's driver (on Debian: apt-get install build-essential python3). Then run this again; nothing else in the repository needs it.`

/**
 * Directus below this folder, and nowhere else: installed where it is missing or not what the lock file says.
 * @returns its version and its program
 * @throws Error with what to do
 */
export async function installedDirectus(
  say: (text: string) => void,
): Promise<{ readonly version: string; readonly program: string }> {
  const wanted = markOf(readFileSync(join(FOLDER, 'package-lock.json')))
  if (!existsSync(MARK) || readFileSync(MARK, 'utf8') !== wanted) {
    say('Installing Directus into bench/peers/node_modules, 700 MB; once, and it takes some minutes …')
    await npm('ci')
    await npm('rebuild', COMPILED, '--ignore-scripts=false')
    writeFileSync(MARK, wanted)
  }
  const { version } = JSON.parse(readFileSync(join(MODULES, 'directus/package.json'), 'utf8')) as {
    version: string
  }
  // Not its own `cli.js`, which first asks the registry for something newer.
  return { version, program: join(MODULES, '@directus/api/dist/cli/run.js') }
}

function markOf(lock: Buffer): string {
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform} ${process.arch} ${process.versions.modules}`
}

/** In this folder, whatever npm itself was started for; all that it started ends with the benchmark. */
async function npm(...args: readonly string[]): Promise<void> {
  const child = spawn('npm', [...args, '--prefix', FOLDER, '--workspaces=false'], {
    cwd: FOLDER,
    env: npmEnvironment(),
    stdio: ['ignore', 2, 2],
    detached: true,
  })
  let isRunning = true
  atEnd(() => isRunning && child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'))
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

/** Without what an npm around this one has set; with this Node, and from its headers and the registry's sources alone. */
function npmEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))
  const node = dirname(dirname(process.execPath))
  return {
    ...Object.fromEntries(own),
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    npm_config_build_from_source: 'true',
    ...(existsSync(join(node, 'include/node/node_api.h')) && { npm_config_nodedir: node }),
  }
}
