import { arg, type WordsIndex } from '@sales-crm/sql'
import { sql } from 'kysely'

/**
 * FTS5 indexes over the words of live rows, each word behind its workspace's id: what a question names is of that workspace
 * alone, so that counts come from the index alone. Migration 0004 makes them, with the triggers that keep them in step.
 */
export const words: WordsIndex = {
  prefixOf: (workspaceId) => workspaceId.replaceAll('-', ''),
  question: (terms) => terms.map(({ word, begins }) => `"${word}"${begins ? '*' : ''}`).join(' AND '),
  // A cross join keeps its order: the index first, whatever else is asked.
  answering: (table) =>
    sql`(select ${sql.table(table)}.rowid, ${sql.table(table)}.* from ${indexOf(table)} cross join ${sql.table(table)}
      on ${sql.ref(`${table}.search_row`)} = ${indexOf(table)}.rowid where ${indexOf(table)} match ${arg('words')})`,
  totals: (table) =>
    sql`select (select count(*) from ${indexOf(table)} where ${indexOf(table)} match value) as total
      from json_each(${arg('questions')}) order by key`,
}

function indexOf(table: string) {
  return sql.id(`${table}_words`)
}
