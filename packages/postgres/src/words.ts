import { arg, SEARCHED, type Tables, type WordsIndex } from '@sales-crm/sql'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** GIN indexes over the words of live rows, each word behind the end of its workspace's id. */
export const words: WordsIndex = {
  // Shorter than the id, which is checked on the row as well: a long one would make every word of the index longer.
  prefixOf: (workspaceId) => workspaceId.slice(-PREFIX),
  question: (terms) => terms.map(({ word, begins }) => `'${word}'${begins ? ':*' : ''}`).join(' & '),
  answering: (table, column) => sql`(${asked(table, column, sql`${arg('words')}`)})`,
  totals(table, column) {
    const rows = asked(table, column, sql.ref('each.question'))
    const total = sql`select count(*) from (${rows}) as found where workspace_id = ${arg('workspace_id')}`
    return sql`select (${total}) as total from unnest(${arg('questions')}::text[]) with ordinality as each(question, nth) order by nth`
  },
}

export const searching: Migration = {
  async up(db: Kysely<Tables>) {
    for (const table of SEARCHED) {
      // An older version that still runs is refused rather than let write rows that nobody finds.
      await sql`alter table ${sql.table(table)} alter column found_by drop default`.execute(db)
      // Without a list of what is to be put in later, which every search would have to read.
      await sql`create index ${sql.id(`${table}_words`)} on ${sql.table(table)} using gin (${lexemes('found_by')})
        with (fastupdate = off) where deleted_at is null`.execute(db)
    }
  },
}

const PREFIX = 12

/** With `offset 0` the planner can neither walk the table in the order of the page nor take another index first. */
function asked(table: string, column: string, question: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select * from ${sql.table(table)} where deleted_at is null and ${lexemes(column)} @@ ${question}::tsquery offset 0`
}

/** As it is written here it is in the index: the planner knows it again by its form alone. */
function lexemes(column: string): RawBuilder<unknown> {
  const prefix = sql`right(workspace_id::text, ${sql.lit(PREFIX)})`
  const spaced = sql`replace(${sql.ref(column)}, ' ', ' ' || ${prefix})`
  return sql`array_to_tsvector(string_to_array(${prefix} || ${spaced}, ' '))`
}
