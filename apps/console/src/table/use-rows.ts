import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { Lines, type Section } from './groups/lines.ts'
import type { GroupedRows } from './groups/use-groups.ts'
import { PAGE_SIZE, type RowsPage, type RowsSource } from './list-source.ts'

interface Part<Row> extends Section {
  readonly source: RowsSource<Row>
}

interface PartPage {
  readonly section: number
  readonly page: number
}

/**
 * The rows of a list of any length, of which only the pages that are looked at are read.
 * @param groups undefined for a list without groups
 * @param first index of the first line that is looked at
 */
export function useRows<Row>(
  source: RowsSource<Row>,
  groups: GroupedRows<Row> | undefined,
  first: number,
  last: number,
) {
  const client = useQueryClient()
  const firstPage = useQuery({
    ...pageQuery(source, 1),
    enabled: groups === undefined,
    placeholderData: keepPreviousData,
  })
  const state = groups ?? firstPage
  const total = groups?.total ?? firstPage.data?.meta.total ?? 0
  const parts: readonly Part<Row>[] = groups?.parts ?? [
    { source, count: total, hasHead: false, isFolded: false },
  ]
  const lines = new Lines(parts)
  const wanted = listPages(lines, first, last).filter(({ page }) => groups !== undefined || page > 1)
  const pages = useQueries({
    queries: wanted.map(({ section, page }) => pageQuery(parts[section]!.source, page)),
  })
  const readPage = ({ section, page }: PartPage) =>
    client.ensureQueryData(pageQuery(parts[section]!.source, page))

  function rowAt(index: number): Row | undefined {
    const line = lines.at(index)
    if (line?.row === undefined) return undefined
    const { section } = line
    const page = pageOf(line.row)
    const loaded =
      groups === undefined && page === 1
        ? firstPage.data
        : pages[wanted.findIndex((each) => each.section === section && each.page === page)]?.data
    return loaded?.data[line.row % PAGE_SIZE]
  }

  return {
    /** Number of the records. */
    total,
    lines,
    isLoaded: state.data !== undefined,
    isStale: state.isPlaceholderData,
    error: state.data === undefined ? state.error : null,
    retry: state.refetch,
    /** The rows of the pages that are read. */
    loaded: [...(groups ? [] : [firstPage]), ...pages].flatMap(({ data }) => data?.data ?? []),
    /** Undefined while its page is read, and for a head. */
    rowAt,
    /** Reads the rows from one line to another, both included. */
    async readRows(start: number, end: number): Promise<readonly Row[]> {
      const wantedPages = listPages(lines, start, end)
      const read = await Promise.all(wantedPages.map(readPage))
      const rows = new Map(wantedPages.map((each, index) => [keyOf(each), read[index]!.data]))
      return Array.from({ length: end - start + 1 }, (_, offset) => lines.at(start + offset)).flatMap(
        (line) => {
          if (line?.row === undefined) return []
          const page = rows.get(keyOf({ section: line.section, page: pageOf(line.row) }))
          return page?.[line.row % PAGE_SIZE] ?? []
        },
      )
    },
    /** Reads all rows of a section. */
    async readSection(section: number): Promise<readonly Row[]> {
      const read = await Promise.all(pagesOf(section).map(readPage))
      return read.flatMap(({ data }) => data)
    },
    /** The rows of a section that are read. */
    cachedRows: (section: number): readonly Row[] =>
      pagesOf(section).flatMap(({ page }) => {
        const { queryKey } = pageQuery(parts[section]!.source, page)
        return client.getQueryData<RowsPage<Row>>(queryKey)?.data ?? []
      }),
  }

  function pagesOf(section: number): readonly PartPage[] {
    const last = pageOf((parts[section]?.count ?? 0) - 1)
    return Array.from({ length: last }, (_, index) => ({ section, page: index + 1 }))
  }
}

function pageQuery<Row>(source: RowsSource<Row>, page: number) {
  return {
    queryKey: [...source.queryKey, 'page', page],
    queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<RowsPage<Row>> =>
      source.fetchPage(page, signal),
  }
}

const keyOf = ({ section, page }: PartPage) => `${section} ${page}`

/** Number of the page of a row of a section, from 1. */
function pageOf(row: number): number {
  return Math.floor(row / PAGE_SIZE) + 1
}

/** The pages that hold the lines from `first` to `last`, in order. */
export function listPages(lines: Lines, first: number, last: number): readonly PartPage[] {
  const pages = new Map<string, PartPage>()
  for (let index = first; index <= last; index++) {
    const line = lines.at(index)
    if (line?.row === undefined) continue
    const page = { section: line.section, page: pageOf(line.row) }
    pages.set(keyOf(page), page)
  }
  return [...pages.values()]
}
