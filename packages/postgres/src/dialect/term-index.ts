import { param, type Term, type TermIndex } from '@sales-crm/sql'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'

interface TermIndexOptions {
  /** True if the index has a part on each of several servers: the subquery that reads it then names the workspace. */
  readonly isDistributed: boolean
}

/** GIN indexes over the terms of live rows. Each term is prefixed with the end of its workspace's id. */
export function createTermIndex({ isDistributed }: TermIndexOptions): TermIndex {
  // On one server, a generic plan would join the index with a worse one.
  const scope = isDistributed ? sql`${IS_IN_WORKSPACE} and` : sql``

  /** `offset 0` stops the planner from scanning the table in page order or using another index first. */
  function selectMatching(
    table: string,
    column: string,
    matchQuery: RawBuilder<unknown>,
    others?: Expression<SqlBool>,
  ): RawBuilder<unknown> {
    const isMatch = sql`${lexemes(column)} @@ ${matchQuery}::tsquery`
    // Of two indexes, whose rows are joined: each alternative is answered by one.
    const isFound = others ? sql`(${isMatch} or (${IS_IN_WORKSPACE} and ${others}))` : isMatch
    return sql`select * from ${sql.table(table)} where ${scope} deleted_at is null and ${isFound} offset 0`
  }

  return {
    // The end of the id keeps terms short; the whole id is compared on the row as well.
    workspacePrefix: (workspaceId) => workspaceId.slice(-PREFIX_LENGTH),
    buildMatchQuery: (terms) => terms.map(formatTerm).join(' & '),
    selectMatches: (table, column, matchQuery, others) =>
      sql`(${selectMatching(table, column, matchQuery, others)})`,
    isMatch(table, column, matchQuery) {
      const rows = selectMatching(table, column, matchQuery)
      return sql`${sql.ref(`${table}.id`)} in (select id from (${rows}) as found where ${IS_IN_WORKSPACE})`
    },
    countMatches(table, column) {
      const rows = selectMatching(table, column, sql.ref('each.question'))
      const total = sql`select count(*) from (${rows}) as found where ${IS_IN_WORKSPACE}`
      return sql`select (${total}) as total from unnest(${param('questions')}::text[]) with ordinality as each(question, nth) order by nth`
    },
  }
}

const IS_IN_WORKSPACE = sql`workspace_id = ${param('workspace_id')}`
const PREFIX_LENGTH = 12

function formatTerm({ text, isPrefix, expansions = [] }: Term): string {
  if (expansions.length > 0) return `(${expansions.map((word) => `'${word}'`).join(' | ')})`
  return `'${text}'${isPrefix ? ':*' : ''}`
}

/** Must equal the expression of the index, which the planner matches by its form. */
export function lexemes(column: string): RawBuilder<unknown> {
  const prefix = sql`right(workspace_id::text, ${sql.lit(PREFIX_LENGTH)})`
  const prefixedTerms = sql`replace(${sql.ref(column)}, ' ', ' ' || ${prefix})`
  return sql`array_to_tsvector(string_to_array(${prefix} || ${prefixedTerms}, ' '))`
}
