import Database from 'better-sqlite3'
import { connectPostgres, sqliteFile } from '../databases.ts'
import { middleOffset, type PageSpec, type Workspace } from './rows.ts'

/** Scans an index up to the middle page of an order, which a page at that depth cannot avoid. */
export interface Scanner {
  scan(workspace: Workspace, page: PageSpec): Promise<void>
  close(): Promise<void>
}

/** Opens a connection for hand-written statements that read only ids. */
export async function openScanner(url: string): Promise<Scanner> {
  const file = sqliteFile(url)
  const { query, close } = file === undefined ? await openPostgres(url) : openSqlite(file)
  const checked = new Set<string>()
  return {
    close,
    async scan(workspace, page) {
      const text = scanStatement(page)
      const values = [workspace.data.actor.workspaceId, middleOffset(workspace)]
      if (!checked.has(text)) {
        const plan = JSON.stringify(await query(explain(text, file), values))
        if (!/COVERING INDEX|Index Only Scan/.test(plan))
          throw new Error(`The scan does not use a covering index:\n${plan}`)
        checked.add(text)
      }
      if ((await query(text, values)).length === 0) throw new Error('The scan went past the last row.')
    },
  }
}

interface Connection {
  query(text: string, values: readonly unknown[]): Promise<readonly unknown[]>
  close(): Promise<void>
}

function openSqlite(file: string): Connection {
  const database = new Database(file, { readonly: true })
  // The service's setting.
  database.pragma('cache_size = -32768')
  return {
    query: async (text, values) => database.prepare(text.replace(/\$\d/g, '?')).all(...values),
    close: async () => void database.close(),
  }
}

async function openPostgres(url: string): Promise<Connection> {
  const client = await connectPostgres(url)
  return {
    query: async (text, values) => (await client.query({ text, values: [...values] })).rows,
    close: () => client.end(),
  }
}

function explain(text: string, file: string | undefined): string {
  return file === undefined ? `explain ${text}` : `explain query plan ${text}`
}

function scanStatement({ kind, orderBy }: PageSpec): string {
  return `select id from ${kind} where workspace_id = $1 and deleted_at is null
    order by ${orderBy} desc nulls last, id desc limit 50 offset $2`
}
