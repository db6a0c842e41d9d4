import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../../bench/processes.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MIGRATIONS = 'packages/sql/src/migrations/'
const MIGRATION = /^\d{4}-/
const PROJECT_SCOPE = '@sales-crm'

export interface Version {
  readonly commit: string
  readonly service: string
  readonly operator: string
}

/** The version in this working tree. */
export const CURRENT_VERSION: Pick<Version, 'service' | 'operator'> = entryPointsIn(ROOT)

/**
 * Checks out the latest version with fewer migrations than the current one, into a folder of its own.
 * @returns undefined if the git history has none
 */
export async function checkOutOlderVersion(folder: string): Promise<Version | undefined> {
  const commit = await findOlderCommit().catch(() => undefined)
  if (commit === undefined) return undefined
  const olderRoot = join(folder, 'older')
  mkdirSync(olderRoot)
  await git('archive', '--output', `${olderRoot}.tar`, commit)
  await runCommand('tar', ['-xf', `${olderRoot}.tar`, '-C', olderRoot])
  linkPackages(olderRoot)
  return { commit: commit.slice(0, 7), ...entryPointsIn(olderRoot) }
}

function entryPointsIn(root: string) {
  return {
    service: join(root, 'apps/server/src/main.ts'),
    operator: join(root, 'apps/server/src/cli/main.ts'),
  }
}

/** @throws Error without git or its history */
async function findOlderCommit(): Promise<string | undefined> {
  const migrationCount = readdirSync(join(ROOT, MIGRATIONS)).filter((name) => MIGRATION.test(name)).length
  const changes = (await git('log', '--format=%H', '--', MIGRATIONS)).split('\n').filter(Boolean)
  for (const commit of ['HEAD', ...changes.map((each) => `${each}^`)]) {
    const names = (await git('ls-tree', '--name-only', commit, MIGRATIONS)).split('\n')
    const count = names.filter((name) => MIGRATION.test(name.slice(MIGRATIONS.length))).length
    if (count > 0 && count < migrationCount) return (await git('rev-parse', commit)).trim()
  }
  return undefined
}

/** Links third-party packages from this working tree, and the project's own packages from the older one. */
function linkPackages(olderRoot: string): void {
  const [olderModules, currentModules] = [join(olderRoot, 'node_modules'), join(ROOT, 'node_modules')]
  mkdirSync(join(olderModules, PROJECT_SCOPE), { recursive: true })
  for (const name of readdirSync(currentModules))
    if (name !== PROJECT_SCOPE) symlinkSync(join(currentModules, name), join(olderModules, name))
  for (const name of readdirSync(join(olderRoot, 'packages')))
    symlinkSync(join(olderRoot, 'packages', name), join(olderModules, PROJECT_SCOPE, name))
  const serverModules = 'apps/server/node_modules'
  if (readdirSync(join(ROOT, 'apps/server')).includes('node_modules'))
    symlinkSync(join(ROOT, serverModules), join(olderRoot, serverModules))
}

function git(...args: readonly string[]): Promise<string> {
  return runCommand('git', ['-C', ROOT, ...args])
}
