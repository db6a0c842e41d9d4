import { randomUUIDv7 } from 'node:crypto'
import Database from 'better-sqlite3'
import type { ReferenceDatabase, TaskInput, TaskPatch } from './database.ts'
import { INSERT_TASK, PEOPLE, PEOPLE_COUNT, TASK, UPDATE_TASK } from './statements.ts'
import type { Row } from './views.ts'

/** Runs prepared statements on a durable file. Each write is a commit of its own. */
export function sqliteReference(path: string, workspace: string): ReferenceDatabase {
  const file = new Database(path)
  file.pragma('journal_mode = WAL')
  file.pragma('synchronous = FULL')
  const prepare = (sql: string) => file.prepare(sql.replace(/\$\d+/g, '?'))
  const [task, people, count] = [prepare(TASK), prepare(PEOPLE), prepare(PEOPLE_COUNT)]
  const [insert, update] = [prepare(INSERT_TASK), prepare(UPDATE_TASK)]

  const create = file.transaction(({ title, due_date, person_id, company_id, deal_id }: TaskInput) => {
    const [id, at] = [randomUUIDv7(), new Date().toISOString()]
    insert.run(workspace, id, title, due_date, person_id, company_id, deal_id, at, at)
    return task.get(workspace, id) as Row
  }).immediate

  const change = file.transaction((id: string, { title, priority }: TaskPatch) => {
    update.run(title, priority, new Date().toISOString(), workspace, id)
    return task.get(workspace, id) as Row
  }).immediate

  const page = file.transaction(() => ({
    rows: people.all(workspace) as Row[],
    total: (count.get(workspace) as { total: number }).total,
  }))

  return {
    task: async (id) => task.get(workspace, id) as Row,
    people: async () => page(),
    createTask: async (input) => create(input),
    updateTask: async (id, patch) => change(id, patch),
  }
}
