import type { ColumnKind, Condition, ListQuery, SpanQuery, Summary, SummaryQuery } from '@sales-crm/core/ports'
import type { Connection, Row } from './connection.ts'
import type { Dialect } from './dialect.ts'
import { COUNTED } from './migrations/0009-live-rows.ts'
import type { RecordStatements, Stored, TableShape, Where } from './record-statements.ts'
import { type Statement, valuesFor } from './statement.ts'
import { summaryIn } from './summaries.ts'
import { offsetOf, wholeLists } from './whole-lists.ts'
import { asksWords, questionOf, type WordsCondition } from './words.ts'

type Named = Readonly<Record<string, unknown>>

interface Line {
  readonly connection: Connection
  readonly workspaceId: string | undefined
}

/** How the stores of one table find and count what conditions ask for. */
export function recordFindings(table: TableShape, statements: RecordStatements, dialect: Dialect) {
  const { unplanned } = dialect
  const wholeList = COUNTED.some((name) => name === table.name) ? wholeLists(statements, dialect) : undefined

  return ({ connection, workspaceId }: Line) => {
    function rows(statement: Statement, values: Named): Promise<readonly Row[]> {
      return connection.rows(statement, valuesFor(statement, { ...values, workspace_id: workspaceId }))
    }

    /** What the statements of `where` are bound to. */
    function bound(where: Where): Named {
      return { ...valuesOf(where, table, dialect), words: questionIn(where) }
    }

    function questionIn(where: Where): string | undefined {
      const words = where.filter(asksWords)
      return words.length === 0 ? undefined : questionOf(words, workspaceId!, dialect.words)
    }

    async function list(query: ListQuery<Stored>) {
      const { page, per_page, where, order_by, order } = query
      if (where.length === 0 && wholeList) return wholeList(query, rows)
      const asked = { where, order_by, order }
      const values = { ...bound(where), limit: per_page, offset: offsetOf(page, per_page) }
      if (where.length > 0 && unplanned) {
        const total = await countOf(where)
        const sorted = await isSorted(where, order_by, total)
        return { rows: await rows(sorted ? statements.sortedPage(asked, unplanned) : statements.page(asked), values), total }
      }
      if (where.some(asksWords)) {
        const found = await rows(statements.countedPage(asked), values)
        const total = found.length === 0 && page > 1 ? await countOf(where) : Number(found[0]?.['total'] ?? 0)
        return { rows: found.map(({ total: _, ...row }) => row), total }
      }
      const [found, total] = await Promise.all([rows(statements.page(asked), values), countOf(where)])
      return { rows: found, total }
    }

    async function countOf(where: Where): Promise<number> {
      const [first] = where
      if (first && where.every(asksWords)) return (await totalsOf(first.field, [where]))[0]!
      const [counted] = await rows(statements.count(where), bound(where))
      return Number(counted!['total'])
    }

    /**
     * Whether a page is found first and put in order then. Where most rows match, walking in order until it is full is less work,
     * at worst no more; where an index has the matches in that order, there is nothing to sort.
     */
    async function isSorted(where: Where, orderBy: string, total: number): Promise<boolean> {
      if (where.some(asksWords)) return true
      if (where.every(({ field }) => field === orderBy)) return false
      if (where.length === 1 && 'is' in where[0]! && orderBy === 'created_at') return false
      const [all] = await rows(statements.size(unplanned!), {})
      return total * 2 < Number(all!['size'])
    }

    async function tally(field: string, words: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const distinct = [...new Set(words)]
      const totals =
        distinct.length > 0
          ? await totalsOf(
              field,
              distinct.map((holds) => [{ field, holds }]),
            )
          : []
      return new Map(distinct.map((word, index) => [word, totals[index]!]))
    }

    /** How many records answer each of `questions`, all of whose conditions are of the words in `field`. */
    async function totalsOf(field: string, questions: readonly Where[]): Promise<number[]> {
      const list = dialect.listToDriver(questions.map((where) => questionIn(where)!))
      const counted = await rows(statements.totals(field), { questions: list })
      return counted.map((row) => Number(row['total']))
    }

    async function summarize(query: SummaryQuery<Stored>): Promise<Summary[]> {
      const found = await rows(statements.summary(query), { ...bound(query.where), most: query.most })
      return found.map((row) => summaryIn(row, query, table, dialect))
    }

    async function medianSpan(query: SpanQuery<Stored>): Promise<number | undefined> {
      const [found] = await rows(statements.medianSpan(query), bound(query.where))
      return found?.['median'] == null ? undefined : Number(found['median'])
    }

    return { bound, list, tally, summarize, medianSpan }
  }
}

/** What every condition but those of words is bound to. */
function valuesOf(where: Where, { kinds }: TableShape, dialect: Dialect): Named {
  const values: Record<string, unknown> = {}
  for (const [index, condition] of where.entries()) {
    if (!asksWords(condition)) values[`where_${index}`] = boundTo(condition, kinds.get(condition.field)!, dialect)
  }
  return values
}

function boundTo(condition: Exclude<Condition<Stored>, WordsCondition<Stored>>, kind: ColumnKind, dialect: Dialect): unknown {
  if ('leadsTo' in condition) return condition.leadsTo.is
  if ('lacks' in condition) return condition.lacks.from
  if ('oneOf' in condition) return dialect.listToDriver(condition.oneOf)
  if ('from' in condition) return condition.from
  if ('to' in condition) return condition.to
  return condition.is === null ? null : (dialect.toDriver[kind]?.(condition.is) ?? condition.is)
}
