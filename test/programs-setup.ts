import { existsSync } from 'node:fs'
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

/** The programs of each project, and what its tests use them for. */
const PROGRAM_USES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  client: {
    bun: 'the client on Bun',
    deno: 'the client on Deno',
    workerd: 'the client in a worker',
  },
  faults: {
    cc: 'disks that fail under load',
    'mkfs.ext4': 'a disk that the kernel made read-only',
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

/** Finds the programs that tests compare our results with. */
export function setup(project: TestProject): () => void {
  const uses = PROGRAM_USES[project.name] ?? {}
  const programs = Object.keys(uses).filter(isInstalled)
  const missing = Object.keys(uses).filter((name) => !programs.includes(name))
  if (missing.length > 0 && process.env['REQUIRE_ALL'])
    throw new Error(`REQUIRE_ALL is set and there is no ${missing.join(' and no ')}: install it.`)
  project.provide('programs', programs)
  return () => {
    for (const name of missing) console.log(`Left out: ${uses[name]}. Install ${name}.`)
  }
}

export function isInstalled(name: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)))
}
