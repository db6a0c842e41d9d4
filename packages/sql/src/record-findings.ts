import type { ColumnKind, Condition, ListQuery, SpanQuery, Summary, SummaryQuery } from '@sales-crm/core/ports'
import type { Connection, Row } from './connection.ts'
import type { Dialect, Term, Unplanned } from './dialect.ts'
import { COUNTED } from './migrations/0009-live-rows.ts'
import type { RecordStatements, Stored, TableShape, Where } from './record-statements.ts'
import { type Statement, valuesFor } from './statement.ts'
import { summaryIn } from './summaries.ts'
import { offsetOf, parted, wholeLists } from './whole-lists.ts'
import { asksWords, questionOf, termsOf, type WordsCondition } from './words.ts'

type Named = Readonly<Record<string, unknown>>

/** An index is asked for so many words by name, instead of for all that begin alike. Each takes a look to be found. */
const NAMED_WORDS = 8

/** How the stores of one table find and count what conditions ask for. */
export function recordFindings(table: TableShape, statements: RecordStatements, dialect: Dialect) {
  const { unplanned } = dialect
  const wholeList = COUNTED.some((name) => name === table.name) ? wholeLists(statements, dialect) : undefined

  return (connection: Connection, workspaceId: string | undefined) => {
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
      const { page, per_page, where, order_by, order, unread = [] } = query
      if (where.length === 0 && wholeList) return wholeList(query, rows)
      const asked = { where, order_by, order, unread }
      const values = { ...bound(where), limit: per_page, offset: offsetOf(page, per_page) }
      if (where.length > 0 && unplanned) {
        const terms = await namedIn(where, unplanned)
        const named = { ...values, ...(terms.length > 0 && { words: dialect.words.question(terms) }) }
        const near = order_by === 'created_at' && where.every(asksWords) ? await nearPage(query, terms, named, unplanned) : undefined
        if (near?.rows) return { rows: near.rows, total: near.total }
        const total = near?.total ?? (await countOf(where, named))
        const sorted = await isSorted(where, order_by, total)
        return { rows: await rows(sorted ? statements.sortedPage(asked, unplanned) : statements.page(asked), named), total }
      }
      if (where.some(asksWords)) {
        const found = await rows(statements.countedPage(asked), values)
        return parted(found) ?? { rows: [], total: page > 1 ? await countOf(where, values) : 0 }
      }
      const [found, total] = await Promise.all([rows(statements.page(asked), values), countOf(where, values)])
      return { rows: found, total }
    }

    /** The total, and the page if it is near. */
    async function nearPage(query: ListQuery<Stored>, terms: readonly Term[], values: Named, unplanned: Unplanned) {
      // To gather rows of a beginning is more work than to keep what a question names.
      const once = terms.length > 1 && terms.some(({ begins, named }) => begins && !named)
      const [found] = await rows(statements.near(query.order, once, unplanned), values)
      const [total, keys] = [Number(found!['total']), found!['keys']]
      if (keys === null) return { total, rows: undefined }
      return { total, rows: keys === '[]' ? [] : await rows(statements.byKeys(query, unplanned), { keys }) }
    }

    async function countOf(where: Where, values: Named): Promise<number> {
      const [first] = where
      if (first && where.every(asksWords)) return (await totalsOf(first.field, [String(values['words'])]))[0]!
      const [counted] = await rows(statements.count(where), values)
      return Number(counted!['total'])
    }

    /** The terms of what `where` asks of words, with the words themselves where few begin as is asked. */
    async function namedIn(where: Where, unplanned: Unplanned): Promise<Term[]> {
      const words = where.filter(asksWords)
      if (words.length === 0) return []
      const statement = statements.wordsFrom(unplanned)
      const terms = termsOf(words, workspaceId!, dialect.words).map(async (term): Promise<Term> => {
        if (!term.begins) return term
        const found = await rows(statement, { begins: term.word, most: NAMED_WORDS + 1 })
        return found.length > NAMED_WORDS ? term : { ...term, named: found.map(({ word }) => String(word)) }
      })
      return Promise.all(terms)
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
      const questions = distinct.map((holds) => questionIn([{ field, holds }])!)
      const totals = distinct.length > 0 ? await totalsOf(field, questions) : []
      return new Map(distinct.map((word, index) => [word, totals[index]!]))
    }

    /** How many records answer each of `questions` to the words in `field`. */
    async function totalsOf(field: string, questions: readonly string[]): Promise<number[]> {
      const counted = await rows(statements.totals(field), { questions: dialect.listToDriver(questions) })
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
