import { param, type Term, type TermIndex } from '@sales-crm/sql'
import { type RawBuilder, sql } from 'kysely'

/**
 * FTS5 indexes over the words of live rows, each word behind its workspace's id: what a question names is of
 * that workspace alone, so that counts come from the index alone. Migration 0004 makes them, with the
 * triggers that keep them in step.
 */
export const termIndex: TermIndex = {
  workspacePrefix: (workspaceId) => workspaceId.replaceAll('-', ''),
  buildMatchQuery: (terms) => terms.map(formatTerm).join(' AND '),
  // A cross join keeps its order: the index first, whatever else is asked.
  selectMatches: (table) =>
    sql`(select ${sql.table(table)}.rowid, ${sql.table(table)}.* from ${termIndexTable(table)} cross join ${sql.table(table)}
      on ${sql.ref(`${table}.search_row`)} = ${termIndexTable(table)}.rowid where ${termIndexTable(table)} match ${param('terms')})`,
  countMatches: (table) =>
    sql`select (select count(*) from ${termIndexTable(table)} where ${termIndexTable(table)} match value) as total
      from json_each(${param('questions')}) order by key`,
}

function formatTerm({ text, isPrefix, expansions = [] }: Term): string {
  // Of none the index is asked by the beginning, and has none.
  if (expansions.length === 0) return `"${text}"${isPrefix ? '*' : ''}`
  return `(${expansions.map((expansion) => `"${expansion}"`).join(' OR ')})`
}

export function matchesCte(table: string, isMaterialized: boolean): RawBuilder<unknown> {
  const matches = sql`select rowid as at from ${termIndexTable(table)} where ${termIndexTable(table)} match ${param('terms')}`
  return sql`found as ${sql.raw(isMaterialized ? 'materialized' : 'not materialized')} (${matches})`
}

/**
 * From word to word it leaps in the index, however many rows hold each. Migration 0012 makes the table that
 * shows the index by its words.
 */
export function expandPrefix(table: string): RawBuilder<unknown> {
  // No word holds a character that comes before those of words, or after them.
  const next = (from: RawBuilder<unknown>) =>
    sql`(select term from ${sql.id(`${table}_terms`)} where term >= ${from} order by term limit 1)`
  const end = sql`${param('prefix')} || char(1114111)`
  return sql`with recursive found (word, nth) as (
      select ${next(sql`${param('prefix')}`)}, 1
      union all select ${next(sql`found.word || char(1)`)}, nth + 1 from found where word < ${end} and nth < ${param('most')}
    ) select word from found where word < ${end}`
}

function termIndexTable(table: string) {
  return sql.id(`${table}_words`)
}
