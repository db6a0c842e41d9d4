import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage, Transaction, WorkspaceSize } from '@sales-crm/core/ports'
import { MIN_LONG_TEXT_BYTES } from '@sales-crm/core/ports'
import { WORKSPACE_COLLECTIONS } from '../src/collections.ts'
import { createTransaction } from './altered-storage.ts'
import type { Breakage } from './breakage.ts'

const EMPTY: WorkspaceSize = { records: 0, pendingDeliveries: 0, bytes: 0 }

export const WORKSPACE_SIZE_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'The size is that of one workspace',
    breakage: 'the sizes of two workspaces are added',
    noticedBy: 'workspace sizes: a rollback leaves the size unchanged, and concurrent writes are all counted',
    open: () => {
      const workspaces = new Set<string>()
      return alterSize(async (tx, id) => {
        const sizes = await Promise.all([...workspaces.add(id)].map((each) => tx.measureWorkspace(each)))
        return {
          ...sizes[0]!,
          records: sizes.reduce((sum, { records }) => sum + records, 0),
          bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
        }
      })
    },
  },
  {
    guarantee: 'The quota bounds no other records',
    breakage: 'the records of every collection are counted',
    noticedBy: 'workspace sizes: does not count the records of stages',
    open: () =>
      alterSize(async (tx, id) => {
        const found = await Promise.all(WORKSPACE_COLLECTIONS.map((spec) => spec.storeIn(tx, id).find([])))
        return { ...(await tx.measureWorkspace(id)), records: found.flat().length }
      }),
  },
  {
    guarantee: 'Deliveries count while they are pending',
    breakage: 'every delivery is counted',
    noticedBy: 'workspace sizes: counts pending deliveries until they end',
    open: () =>
      alterSize(async (tx, id) => {
        const { length: pendingDeliveries } = await tx.workspace(id).deliveries.find([])
        return { ...EMPTY, pendingDeliveries }
      }),
  },
  {
    guarantee: 'The bytes include those of deleted records',
    breakage: 'the bytes are those of live records',
    noticedBy: 'workspace sizes: counts the bytes of files.content',
    open: () =>
      alterSize(async (tx, id) => {
        const files = await tx.workspace(id).files.find([])
        return { ...EMPTY, bytes: files.reduce((sum, { content }) => sum + longBytes(content), 0) }
      }),
  },
  {
    guarantee: 'The bytes are those of the text in UTF-8',
    breakage: 'characters are counted',
    noticedBy: 'workspace sizes: counts the bytes of a text from the bound on, in UTF-8',
    open: () =>
      alterSize(async (tx, id) => {
        const files = await tx.workspace(id).files.find([])
        return { ...EMPTY, bytes: files.reduce((sum, { content }) => sum + content.length, 0) }
      }),
  },
]

function alterSize(measure: (tx: Transaction, id: string) => Promise<WorkspaceSize>): Storage {
  const storage = memoryStorage()
  const alterTransaction = (tx: Transaction) =>
    createTransaction((spec, workspace) => spec.storeIn(tx, workspace), {
      ...tx,
      measureWorkspace: (id) => measure(tx, id),
    })
  return {
    ...storage,
    transact: (work, options) => storage.transact((tx) => work(alterTransaction(tx)), options),
    read: (work, options) => storage.read((tx) => work(alterTransaction(tx)), options),
  }
}

function longBytes(text: string): number {
  return text.length >= MIN_LONG_TEXT_BYTES ? text.length : 0
}
