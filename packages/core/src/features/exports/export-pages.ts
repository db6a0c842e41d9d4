import type { Resource } from '../../engine/resource.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { ListQuery } from '../../ports/index.ts'
import { KINDS } from '../../schema/index.ts'

/** A page far into a list costs as much as all before it, so few pages are listed, of the ids alone. */
const IDS_PER_PAGE = 5_000
/** As many as in the largest page of a list: views are built in one turn of the event loop. */
const RECORDS_PER_PAGE = 100

/** Reads all records that match, in their order, a hundred at a time. */
export async function* readRecords<R extends RecordBase>(
  resource: Pick<Resource<R>, 'collection' | 'store'>,
  query: Pick<ListQuery<R>, 'where' | 'order_by' | 'order'>,
  transaction: WorkspaceTransaction,
): AsyncGenerator<readonly R[], void, undefined> {
  const store = resource.store(transaction.stores)
  for await (const ids of listIds(resource, query, transaction)) {
    for (let start = 0; start < ids.length; start += RECORDS_PER_PAGE) {
      const pageIds = ids.slice(start, start + RECORDS_PER_PAGE)
      const records = new Map((await store.getMany(pageIds)).map((record) => [record.id, record]))
      yield pageIds.map((id) => records.get(id)!)
    }
  }
}

async function* listIds<R extends RecordBase>(
  { collection, store }: Pick<Resource<R>, 'collection' | 'store'>,
  query: Pick<ListQuery<R>, 'where' | 'order_by' | 'order'>,
  { stores }: WorkspaceTransaction,
): AsyncGenerator<readonly string[], void, undefined> {
  const omit = Object.keys(KINDS[collection].shape.columns).filter((column) => column !== 'id')
  for (let page = 1; ; page += 1) {
    const { rows, total } = await store(stores).list({
      ...query,
      ...{ page, per_page: IDS_PER_PAGE, omit: omit as (keyof R & string)[] },
    })
    yield rows.map(({ id }) => id)
    if (page * IDS_PER_PAGE >= total) return
  }
}
