import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'

/** Returns what a query shows after a change; the same value if it shows nothing of it. May be called again. */
export type Patch = (data: unknown, queryKey: QueryKey) => unknown

/** A patch from when it is shown until the service has answered. Only one of the two is called, once. */
export interface PendingPatch {
  /** Makes it a part of what the service has said. */
  confirm(): void
  /** Takes it away again. What else is pending stays. */
  drop(): void
}

/**
 * The changes that the service has not answered, shown over what it has said: each query has the data of the service with
 * the pending patches in their order, also when it is read again meanwhile.
 */
export class PendingPatches {
  readonly #client: QueryClient
  #patches: readonly Patch[] = []
  /** What the service has said, by the hash of the query, while patches are pending. */
  readonly #served = new Map<string, unknown>()

  constructor(client: QueryClient) {
    this.#client = client
    client.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return
      if (this.#patches.length > 0) this.#receive(event.query)
    })
  }

  show(patch: Patch): PendingPatch {
    for (const query of this.#queries()) {
      if (!this.#served.has(query.queryHash)) this.#served.set(query.queryHash, query.state.data)
      this.#draw(query, patch(query.state.data, query.queryKey))
    }
    this.#patches = [...this.#patches, patch]
    return {
      confirm: () => {
        for (const query of this.#queries())
          this.#served.set(query.queryHash, patch(this.#servedTo(query), query.queryKey))
        this.#remove(patch)
      },
      drop: () => {
        this.#remove(patch, () => {
          for (const query of this.#queries()) this.#draw(query, this.#withPatches(query))
        })
      },
    }
  }

  #receive(query: Query): void {
    this.#served.set(query.queryHash, query.state.data)
    this.#draw(query, this.#withPatches(query))
  }

  #remove(patch: Patch, redraw?: () => void): void {
    this.#patches = this.#patches.filter((each) => each !== patch)
    redraw?.()
    if (this.#patches.length === 0) this.#served.clear()
  }

  #queries(): readonly Query[] {
    const queries = this.#client.getQueryCache().getAll()
    return queries.filter(({ state }) => state.data !== undefined)
  }

  #servedTo({ queryHash, state }: Query): unknown {
    return this.#served.has(queryHash) ? this.#served.get(queryHash) : state.data
  }

  #withPatches(query: Query): unknown {
    return this.#patches.reduce((data, patch) => patch(data, query.queryKey), this.#servedTo(query))
  }

  #draw({ queryKey, state }: Query, data: unknown): void {
    if (data !== state.data) this.#client.setQueryData(queryKey, data, { updatedAt: state.dataUpdatedAt })
  }
}

const patchesByClient = new WeakMap<QueryClient, PendingPatches>()

/** The pending patches of a client's queries. */
export function pendingPatches(client: QueryClient): PendingPatches {
  const patches = patchesByClient.get(client) ?? new PendingPatches(client)
  patchesByClient.set(client, patches)
  return patches
}
