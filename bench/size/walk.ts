import Database from 'better-sqlite3'
import pg from 'pg'
import type { DatabaseName } from '../rows.ts'
import { middleOffset, PER_PAGE } from './rows/pages.ts'
import type { Paged } from './rows.ts'
import type { Filled } from './workspace.ts'

/** Walks to the middle page of an order by an index that covers it: what a page so deep cannot do without. */
export interface Walker {
  walk(filled: Filled, paged: Paged): Promise<void>
  close(): Promise<void>
}

/** The walk as one statement by hand, on a connection of its own. @throws Error where the database would walk the table itself */
export async function walkerOn(database: DatabaseName, url: string): Promise<Walker> {
  return database === 'sqlite' ? onSqlite(url.slice('sqlite:'.length)) : onPostgres(url)
}

function onSqlite(path: string): Walker {
  const file = new Database(path, { readonly: true })
  // As the service's own connections have it.
  file.pragma('cache_size = -32768')
  const prepared = new Map<string, Database.Statement>()
  return {
    async walk(filled, paged) {
      const text = statementOf(paged, ['?', '?'])
      let found = prepared.get(text)
      if (!found) {
        const plan = file
          .prepare(`explain query plan ${text}`)
          .all(filled.actor.workspaceId, middleOffset(filled))
        mustCover(JSON.stringify(plan), 'COVERING INDEX')
        found = file.prepare(text)
        prepared.set(text, found)
      }
      mustFind(found.all(filled.actor.workspaceId, middleOffset(filled)))
    },
    async close() {
      file.close()
    },
  }
}

async function onPostgres(url: string): Promise<Walker> {
  const client = new pg.Client({ connectionString: url })
  // Unheard, the server's end would end this process first.
  client.on('error', () => {})
  await client.connect()
  const explained = new Set<string>()
  return {
    async walk(filled, paged) {
      const [text, values] = [
        statementOf(paged, ['$1', '$2']),
        [filled.actor.workspaceId, middleOffset(filled)],
      ]
      if (!explained.has(text)) {
        const { rows } = await client.query(`explain ${text}`, values)
        mustCover(JSON.stringify(rows), 'Index Only Scan')
        explained.add(text)
      }
      const { rows } = await client.query({ name: `${paged.kind} ${paged.orderBy}`, text, values })
      mustFind(rows)
    },
    close: () => client.end(),
  }
}

function statementOf({ kind, orderBy }: Paged, [workspace, offset]: readonly [string, string]): string {
  return `select id from ${kind} where workspace_id = ${workspace} and deleted_at is null
    order by ${orderBy} desc nulls last, id desc limit ${PER_PAGE} offset ${offset}`
}

function mustCover(plan: string, words: string): void {
  if (!plan.includes(words)) throw new Error(`The walk is to be by a covering index, and is not:\n${plan}`)
}

function mustFind(rows: readonly unknown[]): void {
  if (rows.length === 0) throw new Error('The walk led past the last row.')
}
