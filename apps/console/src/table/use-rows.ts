import type { PageMeta } from '@sales-crm/client'
import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'

import type { ListOrder } from './use-list-query.ts'

export const PAGE_SIZE = 100

export interface RowsPage<Row> {
  readonly data: readonly Row[]
  readonly meta: PageMeta
}

export interface RowsSource<Row> {
  readonly queryKey: readonly unknown[]
  /** The order of the rows, which the head shows. */
  readonly order?: ListOrder
  readonly fetchPage: (page: number, signal: AbortSignal) => Promise<RowsPage<Row>>
}

/** The rows of a list of any length, of which only the pages that are looked at are read. */
export function useRows<Row>({ queryKey, fetchPage }: RowsSource<Row>, first: number, last: number) {
  const pageQuery = (page: number) => ({
    queryKey: [...queryKey, 'page', page],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => fetchPage(page, signal),
  })
  const client = useQueryClient()
  const firstPage = useQuery({ ...pageQuery(1), placeholderData: keepPreviousData })
  const wanted = pagesBetween(first, last).filter((page) => page > 1)
  const pages = useQueries({ queries: wanted.map(pageQuery) })
  const total = firstPage.data?.meta.total ?? 0
  return {
    total,
    firstPage,
    /** The rows of the pages that are read. */
    loaded: [firstPage, ...pages].flatMap(({ data }) => data?.data ?? []),
    /** Reads the rows from one index to another, both included. */
    async readRows(start: number, end: number): Promise<readonly Row[]> {
      const numbers = pagesBetween(start, end)
      const read = await Promise.all(numbers.map((page) => client.ensureQueryData(pageQuery(page))))
      const offset = ((numbers[0] ?? 1) - 1) * PAGE_SIZE
      return read.flatMap(({ data }) => data).slice(start - offset, end - offset + 1)
    },
    /** Undefined while its page is read. */
    rowAt(index: number): Row | undefined {
      const page = Math.floor(index / PAGE_SIZE) + 1
      const loaded = page === 1 ? firstPage.data : pages[wanted.indexOf(page)]?.data
      return loaded?.data[index % PAGE_SIZE]
    },
  }
}

/** Numbers of the pages that hold the rows from `first` to `last`. */
export function pagesBetween(first: number, last: number): readonly number[] {
  const start = Math.floor(first / PAGE_SIZE) + 1
  const end = Math.floor(last / PAGE_SIZE) + 1
  return Array.from({ length: end - start + 1 }, (_, index) => start + index)
}
