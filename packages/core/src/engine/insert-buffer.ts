import type { RecordBase } from '../kernel/record.ts'
import type { AnyShape } from '../kernel/shape.ts'
import type { WorkspaceStores } from '../ports/storage.ts'
import { type Collection, SHAPES } from '../schema/index.ts'

type AnyRecord = RecordBase & Readonly<Record<string, unknown>>

/** Collections whose records have facets. */
export type FacetCollection = 'people' | 'companies' | 'deals' | 'products' | 'tasks' | 'activities'

/** Collections, each after those that its foreign keys name. */
const INSERTION_ORDER: readonly Collection[] = sortByForeignKeys(SHAPES)

/** New records of a workspace, which are inserted together: those of a collection by one call. */
export class InsertBuffer {
  readonly #stores: WorkspaceStores
  readonly #records = new Map<Collection, Map<string, AnyRecord>>()
  /** The buffered records by facets that no stored record has. */
  readonly #byAbsentFacet = new Map<Collection, Map<string, AnyRecord[]>>()

  constructor(stores: WorkspaceStores) {
    this.#stores = stores
  }

  add(collection: Collection, record: RecordBase): void {
    const added = record as AnyRecord
    const records = this.#records.get(collection) ?? new Map<string, AnyRecord>()
    this.#records.set(collection, records.set(added.id, added))
    const byFacet = this.#byAbsentFacet.get(collection)
    if (byFacet) for (const term of termsOf(added)) byFacet.get(term)?.push(added)
  }

  get(collection: Collection, id: string): RecordBase | undefined {
    return this.#records.get(collection)?.get(id)
  }

  has(collection: Collection): boolean {
    return this.#records.has(collection)
  }

  /** Inserts the records. Calls of the stores after this one see them, also if it is not awaited. */
  async flush(): Promise<void> {
    if (this.#records.size === 0) return
    const insertions = INSERTION_ORDER.flatMap((collection) => {
      const records = this.#records.get(collection)
      return records ? [this.#stores[collection].insertMany([...records.values()] as never)] : []
    })
    this.discard()
    await Promise.all(insertions)
  }

  /** Forgets the records, and what was known of their facets. */
  discard(): void {
    for (const [collection, records] of this.#records)
      for (const record of records.values()) this.forgetFacets(collection, record)
    this.#records.clear()
  }

  /** Forgets that no stored record has the facets of this one. */
  forgetFacets(collection: Collection, record: RecordBase): void {
    const byFacet = this.#byAbsentFacet.get(collection)
    if (byFacet) for (const term of termsOf(record)) byFacet.delete(term)
  }

  /** Reads which of the facets no record of the collection has. They are then looked for in the buffer alone. */
  async lookUpFacets(collection: FacetCollection, facets: readonly string[]): Promise<void> {
    await this.flush()
    const counts = await this.#stores[collection].countByTerm('search_terms', facets)
    const byFacet = this.#byAbsentFacet.get(collection) ?? new Map<string, AnyRecord[]>()
    for (const [facet, count] of counts) if (count === 0) byFacet.set(facet, [])
    this.#byAbsentFacet.set(collection, byFacet)
  }

  /** The records with a facet, in the order of their creation; undefined if stored records may have it too. */
  findByFacet(collection: Collection, facet: string): readonly RecordBase[] | undefined {
    const found = this.#byAbsentFacet.get(collection)?.get(facet)
    return found && [...found]
  }
}

function termsOf(record: RecordBase): readonly string[] {
  const { search_terms } = record as AnyRecord
  return typeof search_terms === 'string' ? search_terms.split(' ') : []
}

function sortByForeignKeys(shapes: Readonly<Record<string, AnyShape>>): readonly Collection[] {
  const sorted = new Set<string>()
  const add = (name: string, path: readonly string[]) => {
    if (sorted.has(name) || path.includes(name)) return
    for (const target of Object.values(shapes[name]!.foreignKeys)) add(target, [...path, name])
    sorted.add(name)
  }
  for (const name of Object.keys(shapes)) add(name, [])
  return [...sorted] as Collection[]
}
