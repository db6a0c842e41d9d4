import { outboxRows } from './rows/outbox.ts'
import { pageRows } from './rows/pages.ts'
import { recordRows } from './rows/records.ts'
import { reportRows } from './rows/reports.ts'
import { filterRows, searchRows } from './rows/searches.ts'
import type { Filled } from './workspace.ts'

export type Kind = 'people' | 'deals' | 'tasks'

/** A page of a kind in one of its orders, newest or last first, fifty records long. */
export interface Paged {
  readonly kind: Kind
  readonly orderBy: string
}

/** What a row must come to at the greatest size. */
export interface Target {
  /** What its time is held against: its own at the smallest size, the first page of its order, or that page with the walk to this one. */
  readonly over: 'smallest' | 'first' | 'walk'
  readonly most: number
  readonly underMs?: number
}

/** One kind of question, asked of each size in turn. */
export interface Row {
  readonly panel:
    | 'First pages'
    | 'Middle pages'
    | 'Last pages'
    | 'Filters'
    | 'Search'
    | 'One record'
    | 'Reports and counts'
    | 'The outbox'
  readonly title: string
  /** Where lines of a few rows are drawn alike. */
  readonly legend?: string
  readonly target?: Target
  /** Which page it is, for what it is held against. */
  readonly paged?: Paged
  /** How many of it are asked at once: its time is a share of theirs. */
  readonly atOnce?: number
  /** @param nth never the same twice */
  ask(filled: Filled, nth: number): Promise<unknown>
  /** Sets right what asking has changed, while nobody measures. */
  after?(filled: Filled, answer: unknown): Promise<unknown>
}

/** In the order in which they are asked: what adds records comes last. */
export const ROWS: readonly Row[] = [
  ...pageRows,
  ...filterRows,
  ...searchRows,
  ...reportRows,
  ...outboxRows,
  ...recordRows,
]
