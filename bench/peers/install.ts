import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

const FOLDER = import.meta.dirname
const MODULES = join(FOLDER, 'node_modules')
const MARK_FILE = join(MODULES, '.installed')
/** The only module that must be compiled. The others come with binaries. */
const COMPILED = 'sqlite3'

/**
 * Installs Directus below this folder, unless the version of the lock file is installed.
 * @returns its version and its entry point
 */
export function installDirectus(): { readonly version: string; readonly program: string } {
  const lock = createHash('sha256')
    .update(readFileSync(join(FOLDER, 'package-lock.json')))
    .digest('hex')
  const expectedMark = `${lock} ${process.platform} ${process.arch} ${process.versions.modules}`
  if (!existsSync(MARK_FILE) || readFileSync(MARK_FILE, 'utf8') !== expectedMark) {
    console.error(
      'Installing Directus into bench/peers/node_modules, 700 MB; once, and it takes some minutes …',
    )
    runNpm('ci')
    runNpm('rebuild', COMPILED, '--ignore-scripts=false')
    writeFileSync(MARK_FILE, expectedMark)
  }
  const { version } = JSON.parse(readFileSync(join(MODULES, 'directus/package.json'), 'utf8')) as {
    version: string
  }
  // Its `cli.js` would check the registry for updates first.
  return { version, program: join(MODULES, '@directus/api/dist/cli/run.js') }
}

/**
 * Runs npm in this folder, even within another npm run. Modules are compiled from the registry's sources, with
 * the headers of this Node.js.
 */
function runNpm(...args: readonly string[]): void {
  const ownVariables = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))
  const nodeRoot = dirname(dirname(process.execPath))
  const env = {
    ...Object.fromEntries(ownVariables),
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    npm_config_build_from_source: 'true',
    ...(existsSync(join(nodeRoot, 'include/node/node_api.h')) && { npm_config_nodedir: nodeRoot }),
  }
  const options = ['--prefix', FOLDER, '--workspaces=false']
  const { status } = spawnSync('npm', [...args, ...options], { cwd: FOLDER, env, stdio: 'inherit' })
  if (status !== 0)
    throw new Error(
      `npm ${args[0]} failed. It requires the npm registry, a C++ compiler, make and Python 3 (on Debian: build-essential python3).`,
    )
}
