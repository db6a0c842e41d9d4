import Database from 'better-sqlite3'
import pg from 'pg'
import type { DatabaseName } from '../rows.ts'
import type { PageSpec } from './row.ts'
import { middleOffset, PER_PAGE } from './rows/pages.ts'
import type { FilledWorkspace } from './workspace.ts'

/** Scans an index up to the middle page of an order, which a page at that depth cannot avoid. */
export interface Walker {
  walk(workspace: FilledWorkspace, paged: PageSpec): Promise<void>
  close(): Promise<void>
}

/**
 * Opens a walker: one hand-written statement on a connection of its own.
 * @throws Error if the database would not use a covering index
 */
export async function openWalker(database: DatabaseName, url: string): Promise<Walker> {
  return database === 'sqlite' ? openSqliteWalker(url.slice('sqlite:'.length)) : openPostgresWalker(url)
}

function openSqliteWalker(path: string): Walker {
  const file = new Database(path, { readonly: true })
  // The service's setting.
  file.pragma('cache_size = -32768')
  const statements = new Map<string, Database.Statement>()
  return {
    async walk(workspace, paged) {
      const text = walkStatement(paged, ['?', '?'])
      let statement = statements.get(text)
      if (!statement) {
        const plan = file
          .prepare(`explain query plan ${text}`)
          .all(workspace.actor.workspaceId, middleOffset(workspace))
        assertCovered(JSON.stringify(plan), 'COVERING INDEX')
        statement = file.prepare(text)
        statements.set(text, statement)
      }
      assertFound(statement.all(workspace.actor.workspaceId, middleOffset(workspace)))
    },
    async close() {
      file.close()
    },
  }
}

async function openPostgresWalker(url: string): Promise<Walker> {
  const client = new pg.Client({ connectionString: url })
  // Without a listener, the server's shutdown would end this process with an error.
  client.on('error', () => {})
  await client.connect()
  const explained = new Set<string>()
  return {
    async walk(workspace, paged) {
      const [text, values] = [
        walkStatement(paged, ['$1', '$2']),
        [workspace.actor.workspaceId, middleOffset(workspace)],
      ]
      if (!explained.has(text)) {
        const { rows } = await client.query(`explain ${text}`, values)
        assertCovered(JSON.stringify(rows), 'Index Only Scan')
        explained.add(text)
      }
      const { rows } = await client.query({ name: `${paged.kind} ${paged.orderBy}`, text, values })
      assertFound(rows)
    },
    close: () => client.end(),
  }
}

function walkStatement(
  { kind, orderBy }: PageSpec,
  [workspaceParameter, offsetParameter]: readonly [string, string],
): string {
  return `select id from ${kind} where workspace_id = ${workspaceParameter} and deleted_at is null
    order by ${orderBy} desc nulls last, id desc limit ${PER_PAGE} offset ${offsetParameter}`
}

function assertCovered(plan: string, expectedText: string): void {
  if (!plan.includes(expectedText)) throw new Error(`The scan does not use a covering index:\n${plan}`)
}

function assertFound(rows: readonly unknown[]): void {
  if (rows.length === 0) throw new Error('The scan went past the last row.')
}
