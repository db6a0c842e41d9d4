import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The programs on the `PATH` that the tests of a project use. With REQUIRE_ALL, all of them are required.
     */
    programs: readonly string[]
  }
}

const FAILOVER = 'a failover of PostgreSQL under Patroni'

/** The programs of each project, and what its tests use them for. */
const PROGRAM_USES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  client: {
    bun: 'the client on Bun',
    deno: 'the client on Deno',
    workerd: 'the client in a worker',
  },
  faults: {
    cc: 'disks that fail under load',
    etcd: FAILOVER,
    faketime: 'a process whose clock is ahead',
    haproxy: FAILOVER,
    ip: FAILOVER,
    'mkfs.ext4': 'a disk that the kernel made read-only',
    patroni: FAILOVER,
    pg_rewind: FAILOVER,
    pgbouncer: 'a pooler before PostgreSQL',
  },
  node: { openssl: 'signatures compared with those of openssl' },
  server: {
    bash: 'pasting what the page on getting started says',
    curl: 'pasting what the page on getting started says',
    openssl: 'pasting what the page on getting started says',
  },
  repository: {
    openssl: 'the documented receivers of what openssl signs',
    python3: 'the documented receiver in Python',
  },
}

/** The Debian packages of programs, where the names differ. */
const PACKAGES: Readonly<Record<string, string>> = {
  cc: 'gcc',
  etcd: 'etcd-server',
  ip: 'iproute2',
  'mkfs.ext4': 'e2fsprogs',
  pg_rewind: 'postgresql',
}

/** Debian does not put the programs of PostgreSQL's server on the `PATH`. It has a folder for each version. */
const POSTGRES_VERSIONS = '/usr/lib/postgresql'

/** Finds the programs that tests compare our results with. */
export function setup(project: TestProject): () => void {
  const uses = PROGRAM_USES[project.name] ?? {}
  const programs = Object.keys(uses).filter(isInstalled)
  const missing = Object.keys(uses).filter((name) => !programs.includes(name))
  if (missing.length > 0 && process.env['REQUIRE_ALL'])
    throw new Error(
      `REQUIRE_ALL is set and there is no ${missing.join(' and no ')}: install ${missing.map(packageOf).join(' ')}.`,
    )
  project.provide('programs', programs)
  return () => {
    for (const name of missing) console.log(`Left out: ${uses[name]}. Install ${packageOf(name)}.`)
  }
}

export function isInstalled(name: string): boolean {
  return findFolder(name) !== undefined
}

/** Returns the folder that has a program, or undefined. Newer versions of PostgreSQL come first. */
export function findFolder(name: string): string | undefined {
  const versions = existsSync(POSTGRES_VERSIONS) ? readdirSync(POSTGRES_VERSIONS).map(Number) : []
  const postgresFolders = versions
    .toSorted((a, b) => b - a)
    .map((version) => join(POSTGRES_VERSIONS, String(version), 'bin'))
  return [...(process.env['PATH'] ?? '').split(delimiter), ...postgresFolders].find((folder) =>
    existsSync(join(folder, name)),
  )
}

/** Returns the Debian package of a program. */
export function packageOf(name: string): string {
  return PACKAGES[name] ?? name
}
