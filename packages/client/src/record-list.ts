import type { PageMeta } from './api-types.ts'

/** A page of a list. */
export interface Page<Item> {
  /** In the requested order; by default the latest `created_at` first. */
  readonly data: Item[]
  /** The total, and whether there is a next page. */
  readonly meta: PageMeta
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
export interface RecordList<Item> extends PromiseLike<Page<Item>>, AsyncIterable<Item> {
  /** As `catch` of a promise of one page. */
  catch<Failure>(
    onRejected: (reason: unknown) => Failure | PromiseLike<Failure>,
  ): Promise<Page<Item> | Failure>
  /** Returns all pages in order, from `page` on. `per_page` is 100 unless given. */
  pages(): AsyncIterableIterator<Page<Item>>
}

/** The paging parameters of a request. */
export interface PageRequest {
  readonly page?: number
  readonly per_page?: number
}

/** The pages that `fetchPage` returns. `request` has the paging parameters that the caller set. */
export class PagedList<Item> implements RecordList<Item> {
  readonly #request: PageRequest
  readonly #fetchPage: (request: PageRequest) => Promise<Page<Item>>
  #onePage: Promise<Page<Item>> | undefined

  constructor(request: PageRequest, fetchPage: (request: PageRequest) => Promise<Page<Item>>) {
    this.#request = request
    this.#fetchPage = fetchPage
  }

  // biome-ignore lint/suspicious/noThenProperty: the list can be awaited.
  then<Result = Page<Item>, Failure = never>(
    onFulfilled?: ((page: Page<Item>) => Result | PromiseLike<Result>) | null,
    onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    this.#onePage ??= this.#fetchPage(this.#request)
    return this.#onePage.then(onFulfilled, onRejected)
  }

  catch<Failure>(
    onRejected: (reason: unknown) => Failure | PromiseLike<Failure>,
  ): Promise<Page<Item> | Failure> {
    return this.then(undefined, onRejected)
  }

  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    const { page: first = 1, per_page = 100 } = this.#request
    for (let page = first; ; page += 1) {
      const received = await this.#fetchPage({ page, per_page })
      yield received
      if (!received.meta.has_more || received.data.length === 0) return
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of this.pages()) yield* data
  }
}
