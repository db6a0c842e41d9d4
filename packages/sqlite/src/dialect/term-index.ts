import { param, type Term, type TermIndex } from '@sales-crm/sql'
import { type RawBuilder, sql } from 'kysely'

/**
 * FTS5 indexes over the terms of live rows. Each term is prefixed with its workspace's id, so a match finds
 * rows of one workspace and is counted from the index alone. Migration 0004 creates the indexes and the
 * triggers that maintain them.
 */
export const termIndex: TermIndex = {
  workspacePrefix: (workspaceId) => workspaceId.replaceAll('-', ''),
  buildMatchQuery: (terms) => terms.map(formatTerm).join(' AND '),
  // A cross join fixes the join order: the index is read first.
  selectMatches(table, _column, matchQuery, others) {
    const [rows, index] = [sql.table(table), termIndexTable(table)]
    const selectRows = sql`select ${rows}.rowid, ${rows}.* from`
    if (!others)
      return sql`(${selectRows} ${index} cross join ${rows}
        on ${sql.ref(`${table}.search_row`)} = ${index}.rowid where ${index} match ${matchQuery})`
    const matches = sql`select rowid as at from ${index} where ${index} match ${matchQuery} union
      select search_row from ${rows} where workspace_id = ${param('workspace_id')} and deleted_at is null and ${others}`
    return sql`(${selectRows} (${matches}) as found cross join ${rows} on ${sql.ref(`${table}.search_row`)} = found.at)`
  },
  isMatch: (table, _column, matchQuery) =>
    sql`${sql.ref(`${table}.search_row`)} in (select rowid from ${termIndexTable(table)} where ${termIndexTable(table)} match ${matchQuery})`,
  countMatches: (table) =>
    sql`select (select count(*) from ${termIndexTable(table)} where ${termIndexTable(table)} match value) as total
      from json_each(${param('questions')}) order by key`,
}

function formatTerm({ text, isPrefix, expansions = [] }: Term): string {
  // A prefix without expansions matches no term.
  if (expansions.length === 0) return `"${text}"${isPrefix ? '*' : ''}`
  return `(${expansions.map((expansion) => `"${expansion}"`).join(' OR ')})`
}

export function matchesCte(table: string, isMaterialized: boolean): RawBuilder<unknown> {
  const matches = sql`select rowid as at from ${termIndexTable(table)} where ${termIndexTable(table)} match ${param('terms')}`
  return sql`found as ${sql.raw(isMaterialized ? 'materialized' : 'not materialized')} (${matches})`
}

/**
 * Lists the terms that begin with a prefix by one index seek per term, independent of the number of rows that
 * hold each. Migration 0012 creates the vocabulary table.
 */
export function expandPrefix(table: string): RawBuilder<unknown> {
  // U+0001 sorts before every character of a term, U+10FFFF after.
  const next = (from: RawBuilder<unknown>) =>
    sql`(select term from ${sql.id(`${table}_terms`)} where term >= ${from} order by term limit 1)`
  const end = sql`${param('prefix')} || char(1114111)`
  return sql`with recursive found (word, nth) as (
      select ${next(sql`${param('prefix')}`)}, 1
      union all select ${next(sql`found.word || char(1)`)}, nth + 1 from found where word < ${end} and nth < ${param('most')}
    ) select word from found where word < ${end}`
}

/** Reads the vocabulary in order, no further than `most` entries. */
export function countTermEntries(table: string): RawBuilder<unknown> {
  const entries = sql`select 1 from ${sql.id(`${table}_terms`)} where term >= ${param('first')} and term <= ${param('last')}`
  return sql`select count(*) as total from (${entries} limit ${param('most')})`
}

function termIndexTable(table: string) {
  return sql.id(`${table}_words`)
}
