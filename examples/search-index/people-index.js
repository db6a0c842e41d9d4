import { DatabaseSync } from 'node:sqlite'

const SCHEMA = `
  pragma busy_timeout = 5000;
  pragma journal_mode = wal;
  create table if not exists people
    (row integer primary key, id text not null unique, updated_at text not null, is_deleted integer not null);
  create virtual table if not exists people_text using fts5 (full_name, emails);
`

/** Opens the index, and creates it if it is missing. */
export function openIndex(file) {
  const database = new DatabaseSync(file)
  database.exec(SCHEMA)
  return database
}

/**
 * Stores the state of a person unless a newer one, or the deletion, is known: deliveries arrive in any order.
 * A deleted person remains as a row without text, so that a late update does not bring it back.
 */
export function storePerson(database, person, { isDeleted = false } = {}) {
  const stored = database
    .prepare(
      `insert into people (id, updated_at, is_deleted) values (?, ?, ?)
       on conflict (id) do update set updated_at = excluded.updated_at, is_deleted = excluded.is_deleted
       where not is_deleted and (excluded.is_deleted or excluded.updated_at >= updated_at)
       returning row`,
    )
    .get(person.id, person.updated_at, Number(isDeleted))
  if (!stored) return
  database.prepare('delete from people_text where rowid = ?').run(stored.row)
  if (isDeleted) return
  const emails = person.emails.map(({ email }) => email).join(' ')
  database
    .prepare('insert into people_text (rowid, full_name, emails) values (?, ?, ?)')
    .run(stored.row, person.full_name, emails)
}

/** Returns `{ id, full_name }` of the people whose text has words that begin with each word, the best first. */
export function searchPeople(database, text) {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? []
  if (words.length === 0) return []
  return database
    .prepare(
      `select people.id, full_name from people_text join people on people.row = people_text.rowid
       where people_text match ? order by rank limit 20`,
    )
    .all(words.map((word) => `"${word}"*`).join(' '))
}
