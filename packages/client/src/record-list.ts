import type { PageMeta, TimelineMeta } from './api-types.ts'

/** A page of a list. */
export interface Page<Item, Meta = PageMeta> {
  /** In the requested order; by default the latest `created_at` first. */
  readonly data: Item[]
  /** The total, and whether there is a next page. */
  readonly meta: Meta
}

/**
 * A list that sends no request before it is awaited or iterated. Awaiting it returns one page; `for await`
 * returns the records of all pages:
 *
 * ```ts
 * const { data, meta } = await crm.people.list({ search: 'ana' })
 * for await (const person of crm.people.list({ search: 'ana' })) console.log(person.full_name)
 * ```
 *
 * Iteration requests each page when it is needed. Records that are created or deleted meanwhile move the
 * others between pages: iterate with `order: 'asc'` if records are being created, and collect the ids first
 * if the loop deletes records.
 */
export interface RecordList<Item, Meta = PageMeta>
  extends PromiseLike<Page<Item, Meta>>,
    AsyncIterable<Item> {
  /** As `catch` of a promise of one page. */
  catch<Failure>(
    onRejected: (reason: unknown) => Failure | PromiseLike<Failure>,
  ): Promise<Page<Item, Meta> | Failure>
  /** Returns all pages in order, from the requested one on, of 100 records unless the query says otherwise. */
  pages(): AsyncIterableIterator<Page<Item, Meta>>
}

/** The parameters that select a page. */
export interface PageRequest {
  readonly page?: number
  readonly per_page?: number
  readonly cursor?: string
  readonly limit?: number
}

/** How the pages of a list follow each other. */
export interface Paging<Meta> {
  /** The first page of an iteration. */
  first(query: PageRequest): PageRequest
  /** The page after another; undefined after the last one. */
  next(page: Page<unknown, Meta>, request: PageRequest): PageRequest | undefined
}

export const pageNumbers: Paging<PageMeta> = {
  first: ({ page = 1, per_page = 100 }) => ({ page, per_page }),
  next: ({ data, meta }, { page = 1, ...size }) =>
    meta.has_more && data.length > 0 ? { page: page + 1, ...size } : undefined,
}

export const cursors: Paging<TimelineMeta> = {
  first: ({ limit = 100, cursor }) => ({ limit, ...(cursor !== undefined && { cursor }) }),
  next: ({ meta }, { limit = 100 }) =>
    meta.next_cursor === null ? undefined : { limit, cursor: meta.next_cursor },
}

/** The pages that `fetchPage` returns. `query` has the paging parameters that the caller set. */
export class PagedList<Item, Meta> implements RecordList<Item, Meta> {
  readonly #query: PageRequest
  readonly #paging: Paging<Meta>
  readonly #fetchPage: (request: PageRequest) => Promise<Page<Item, Meta>>
  #onePage: Promise<Page<Item, Meta>> | undefined

  constructor(
    query: PageRequest,
    paging: Paging<Meta>,
    fetchPage: (request: PageRequest) => Promise<Page<Item, Meta>>,
  ) {
    this.#query = query
    this.#paging = paging
    this.#fetchPage = fetchPage
  }

  // biome-ignore lint/suspicious/noThenProperty: the list can be awaited.
  then<Result = Page<Item, Meta>, Failure = never>(
    onFulfilled?: ((page: Page<Item, Meta>) => Result | PromiseLike<Result>) | null,
    onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    this.#onePage ??= this.#fetchPage(this.#query)
    return this.#onePage.then(onFulfilled, onRejected)
  }

  catch<Failure>(
    onRejected: (reason: unknown) => Failure | PromiseLike<Failure>,
  ): Promise<Page<Item, Meta> | Failure> {
    return this.then(undefined, onRejected)
  }

  async *pages(): AsyncGenerator<Page<Item, Meta>, void, undefined> {
    let request: PageRequest | undefined = this.#paging.first(this.#query)
    while (request) {
      const received: Page<Item, Meta> = await this.#fetchPage(request)
      yield received
      request = this.#paging.next(received, request)
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of this.pages()) yield* data
  }
}
