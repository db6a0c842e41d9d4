import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { outputOf } from '../../bench/processes.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MIGRATIONS = 'packages/sql/src/migrations/'
const MIGRATION = /^\d{4}-/
const OURS = '@sales-crm'

export interface Version {
  readonly commit: string
  readonly service: string
  readonly operator: string
}

/** This one. */
export const CURRENT_VERSION: Pick<Version, 'service' | 'operator'> = programsIn(ROOT)

/**
 * The latest version that knows fewer migrations than this one, in a folder of its own. Undefined where no
 * history holds it.
 */
export async function checkOutOlderVersion(folder: string): Promise<Version | undefined> {
  const commit = await findOlderCommit().catch(() => undefined)
  if (commit === undefined) return undefined
  const home = join(folder, 'older')
  mkdirSync(home)
  await git('archive', '--output', `${home}.tar`, commit)
  await outputOf('tar', ['-xf', `${home}.tar`, '-C', home])
  linkPackages(home)
  return { commit: commit.slice(0, 7), ...programsIn(home) }
}

function programsIn(home: string) {
  return {
    service: join(home, 'apps/server/src/main.ts'),
    operator: join(home, 'apps/server/src/cli/main.ts'),
  }
}

/** @throws Error where there is no git, or no history */
async function findOlderCommit(): Promise<string | undefined> {
  const known = readdirSync(join(ROOT, MIGRATIONS)).filter((name) => MIGRATION.test(name)).length
  const changes = (await git('log', '--format=%H', '--', MIGRATIONS)).split('\n').filter(Boolean)
  for (const commit of ['HEAD', ...changes.map((each) => `${each}^`)]) {
    const names = (await git('ls-tree', '--name-only', commit, MIGRATIONS)).split('\n')
    const count = names.filter((name) => MIGRATION.test(name.slice(MIGRATIONS.length))).length
    if (count > 0 && count < known) return (await git('rev-parse', commit)).trim()
  }
  return undefined
}

/** What others made is taken from here, what is ours from there. */
function linkPackages(home: string): void {
  const [there, here] = [join(home, 'node_modules'), join(ROOT, 'node_modules')]
  mkdirSync(join(there, OURS), { recursive: true })
  for (const name of readdirSync(here)) if (name !== OURS) symlinkSync(join(here, name), join(there, name))
  for (const name of readdirSync(join(home, 'packages')))
    symlinkSync(join(home, 'packages', name), join(there, OURS, name))
  const own = 'apps/server/node_modules'
  if (readdirSync(join(ROOT, 'apps/server')).includes('node_modules'))
    symlinkSync(join(ROOT, own), join(home, own))
}

function git(...args: readonly string[]): Promise<string> {
  return outputOf('git', ['-C', ROOT, ...args])
}
