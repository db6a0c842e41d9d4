import type { Resource } from '../../engine/resource.ts'
import type { ViewTransaction, WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { ListQuery } from '../../ports/index.ts'
import { KINDS } from '../../schema/index.ts'
import { readAhead } from './read-ahead.ts'

/** A page far into a list costs as much as all before it, so few pages are listed, of the ids alone. */
const IDS_PER_PAGE = 5_000
/** Views of so many are built in one turn of the event loop. */
const RECORDS_PER_PAGE = 200

type Query<R> = Pick<ListQuery<R>, 'where' | 'order_by' | 'order' | 'member' | 'thenBy'>

/** Reads the details of all records that match, in their order, some hundreds at a time. */
export async function* readViews<R extends RecordBase>(
  resource: Pick<Resource<R>, 'collection' | 'store' | 'detailView'>,
  query: Query<R>,
  include: readonly string[],
  transaction: ViewTransaction,
): AsyncGenerator<readonly object[], void, undefined> {
  for await (const records of readAhead(readRecords(resource, query, transaction)))
    yield await resource.detailView(records, transaction, include)
}

async function* readRecords<R extends RecordBase>(
  { collection, store }: Pick<Resource<R>, 'collection' | 'store'>,
  query: Query<R>,
  { stores }: WorkspaceTransaction,
): AsyncGenerator<readonly R[], void, undefined> {
  const omit = Object.keys(KINDS[collection].shape.columns).filter((column) => column !== 'id')
  for (let page = 1; ; page += 1) {
    const { rows, total } = await store(stores).list({
      ...query,
      ...{ page, per_page: IDS_PER_PAGE, omit: omit as (keyof R & string)[] },
    })
    for (let start = 0; start < rows.length; start += RECORDS_PER_PAGE) {
      const ids = rows.slice(start, start + RECORDS_PER_PAGE).map(({ id }) => id)
      const records = new Map((await store(stores).getMany(ids)).map((record) => [record.id, record]))
      yield ids.map((id) => records.get(id)!)
    }
    if (page * IDS_PER_PAGE >= total) return
  }
}
