import { arg, type Term, type WordsIndex } from '@sales-crm/sql'
import { type RawBuilder, sql } from 'kysely'

/**
 * FTS5 indexes over the words of live rows, each word behind its workspace's id: what a question names is of that workspace
 * alone, so that counts come from the index alone. Migration 0004 makes them, with the triggers that keep them in step.
 */
export const words: WordsIndex = {
  prefixOf: (workspaceId) => workspaceId.replaceAll('-', ''),
  question: (terms) => terms.map(termed).join(' AND '),
  // A cross join keeps its order: the index first, whatever else is asked.
  answering: (table) =>
    sql`(select ${sql.table(table)}.rowid, ${sql.table(table)}.* from ${indexOf(table)} cross join ${sql.table(table)}
      on ${sql.ref(`${table}.search_row`)} = ${indexOf(table)}.rowid where ${indexOf(table)} match ${arg('words')})`,
  totals: (table) =>
    sql`select (select count(*) from ${indexOf(table)} where ${indexOf(table)} match value) as total
      from json_each(${arg('questions')}) order by key`,
}

function termed({ word, begins, named = [] }: Term): string {
  // Of none the index is asked by the beginning, and has none.
  if (named.length === 0) return `"${word}"${begins ? '*' : ''}`
  return `(${named.map((each) => `"${each}"`).join(' OR ')})`
}

export function found(table: string, once: boolean): RawBuilder<unknown> {
  const named = sql`select rowid as at from ${indexOf(table)} where ${indexOf(table)} match ${arg('words')}`
  return sql`found as ${sql.raw(once ? 'materialized' : 'not materialized')} (${named})`
}

/**
 * From word to word it leaps in the index, however many rows hold each. Migration 0012 makes the table that shows the index by its words.
 */
export function wordsFrom(table: string): RawBuilder<unknown> {
  // No word holds a character that comes before those of words, or after them.
  const next = (from: RawBuilder<unknown>) =>
    sql`(select term from ${sql.id(`${table}_terms`)} where term >= ${from} order by term limit 1)`
  const end = sql`${arg('begins')} || char(1114111)`
  return sql`with recursive found (word, nth) as (
      select ${next(sql`${arg('begins')}`)}, 1
      union all select ${next(sql`found.word || char(1)`)}, nth + 1 from found where word < ${end} and nth < ${arg('most')}
    ) select word from found where word < ${end}`
}

function indexOf(table: string) {
  return sql.id(`${table}_words`)
}
