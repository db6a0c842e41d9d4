import Database from 'better-sqlite3'
import { personDetail, type Row } from '../reference/views.ts'

const PEOPLE = `
  select p.id, p.entity_id, p.full_name, p.emails, p.phones, p.position, p.score, p.avatar_url, p.created_at, p.updated_at,
    p.external_ids, u.id as owner_id, u.name as owner_name, u.email as owner_email,
    c.id as company_id, c.full_name as company_full_name, c.emails as company_emails, c.phones as company_phones,
    c.created_at as company_created_at, c.updated_at as company_updated_at
  from people p
    left join members m on m.workspace_id = p.workspace_id and m.id = p.owner_user_id and m.removed_at is null
    left join users u on u.id = m.id
    left join companies c on c.workspace_id = p.workspace_id and c.id = p.company_id and c.deleted_at is null
  where p.workspace_id = ? and p.deleted_at is null
  order by p.created_at desc, p.id desc`

/** The lines of all people, from one statement on this thread: without tags, lists and custom fields, which none has. */
export function* selectPeople(file: string, workspaceId: string): Generator<string, void, undefined> {
  const database = new Database(file, { readonly: true })
  try {
    for (const row of database.prepare(PEOPLE).iterate(workspaceId))
      yield `${JSON.stringify(personDetail(row as Row))}\n`
  } finally {
    database.close()
  }
}
