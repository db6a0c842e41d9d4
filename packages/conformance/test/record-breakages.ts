import { conflict, type Storage } from '@sales-crm/core/ports'
import { type CollectionSpec, GLOBAL_COLLECTIONS, type Row } from '../src/collections.ts'
import { alterStorage, findConflict, findDanglingReference, mapReads } from './altered-storage.ts'
import type { Breakage } from './breakage.ts'

export const RECORD_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'JSON is stored unchanged',
    breakage: 'object keys come back sorted',
    noticedBy: 'round trip: people: json values are returned unchanged',
    open: () => mapReads((row, spec) => mapFields(row, spec, 'json', sortKeys)),
  },
  {
    guarantee: 'Text is stored unchanged',
    breakage: 'text is normalized to NFC',
    noticedBy: 'round trip: tasks: text values are returned unchanged',
    open: () => mapReads((row, spec) => mapFields(row, spec, 'text', (value) => String(value).normalize())),
  },
  {
    guarantee: 'Integers are exact to 10^15',
    breakage: 'integers have 32 bits',
    noticedBy: 'round trip: deals: integer values are returned unchanged',
    open: () => mapReads((row, spec) => mapFields(row, spec, 'integer', (value) => Number(value) | 0)),
  },
  {
    guarantee: 'Instants have millisecond precision',
    breakage: 'instants are truncated to seconds',
    noticedBy: 'round trip: tasks: instant values are returned unchanged',
    open: () =>
      mapReads((row, spec) =>
        mapFields(row, spec, 'instant', (value) => `${String(value).slice(0, 19)}.000Z`),
      ),
  },
  {
    guarantee: 'Booleans are returned as booleans',
    breakage: 'booleans come back as 0 and 1',
    noticedBy: 'round trip: tasks: boolean values are returned unchanged',
    open: () => mapReads((row, spec) => mapFields(row, spec, 'boolean', Number)),
  },
  {
    guarantee: 'Null is returned as null',
    breakage: 'null text comes back as empty text',
    noticedBy: 'round trip: people: every nullable field returns null',
    open: () =>
      mapReads((row, spec) => ({
        ...row,
        ...(spec.name === 'people' && row['position'] === null ? { position: '' } : {}),
      })),
  },
  {
    guarantee: 'A record has its own fields and no others',
    breakage: "the store's own columns are returned",
    noticedBy: 'round trip: apps: every read method returns the record unchanged',
    open: () => mapReads((row) => ({ ...row, deleted_at: null })),
  },
  {
    guarantee: 'A shared record may have a field workspace_id',
    breakage: "workspace_id of a shared record is treated as the store's column",
    noticedBy: 'round trip: authorization_codes: every read method returns the record unchanged',
    open: () =>
      mapReads((row, spec) =>
        GLOBAL_COLLECTIONS.includes(spec) && 'workspace_id' in row
          ? { ...row, workspace_id: undefined }
          : row,
      ),
  },
  {
    guarantee: 'Records are copies',
    breakage: 'get returns the inserted object itself',
    noticedBy: 'round trip: stored and returned records are copies',
    open: returnInsertedObjects,
  },
  {
    guarantee: 'update writes every field',
    breakage: 'update skips fields set to null',
    noticedBy: 'update and softDelete: people: update writes every field of the record and no other record',
    open: () =>
      alterStorage((store) => ({
        async update(row) {
          const changes = Object.entries(row).filter(([, value]) => value !== null)
          await store.update({
            ...(await store.get(row.id)),
            ...(Object.fromEntries(changes) as unknown as Row),
          })
        },
      })),
  },
  {
    guarantee: 'update of a locked record writes every differing field',
    breakage: 'update skips fields that are equal in the record as it was locked',
    noticedBy:
      'update and softDelete: deals: update of a locked record writes every differing field, and again after a change',
    open: skipFieldsOfLockedRecord,
  },
  {
    guarantee: 'update of a nonexistent record inserts nothing',
    breakage: 'update inserts a missing record',
    noticedBy:
      'update and softDelete: tasks: update of a nonexistent record inserts nothing and checks nothing',
    open: () =>
      alterStorage((store) => ({
        update: async (row) => ((await store.get(row.id)) ? store.update(row) : store.insert(row)),
      })),
  },
  {
    guarantee: 'update of a nonexistent record checks nothing',
    breakage: 'update looks for a conflict first',
    noticedBy:
      'update and softDelete: users: update of a nonexistent record inserts nothing and checks nothing',
    open: () =>
      alterStorage((store, { spec }) => ({
        async update(row) {
          const field = await findConflict(store, spec, row)
          if (field) throw conflict(field)
          await store.update(row)
        },
      })),
  },
  {
    guarantee: 'update does not restore a deleted record',
    breakage: 'update restores a deleted record',
    noticedBy: 'update and softDelete: deals: update does not restore a soft-deleted record',
    open: restoreDeleted,
  },
  {
    guarantee: 'Deleted records are invisible',
    breakage: 'getMany still returns deleted records',
    noticedBy:
      'update and softDelete: companies: softDelete hides the record, and no other, from every read method',
    open: returnDeleted,
  },
  {
    guarantee: 'softDelete returns false when there is nothing to delete',
    breakage: 'softDelete always returns true',
    noticedBy: 'update and softDelete: users: softDelete returns false when there is nothing to delete',
    open: () =>
      alterStorage((store) => ({ softDelete: async (id, at) => (await store.softDelete(id, at)) || true })),
  },
  {
    guarantee: 'Ids are unique',
    breakage: 'insert overwrites the record with the same id',
    noticedBy:
      'update and softDelete: apps: insert rejects the id of an existing record, live or soft-deleted',
    open: () =>
      alterStorage((store) => ({
        insert: async (row) => ((await store.get(row.id)) ? store.update(row) : store.insert(row)),
      })),
  },
  {
    guarantee: 'A reference stays in its workspace',
    breakage: 'insert does not check references',
    noticedBy:
      'references: people.company_id: insert, insertMany and update reject a record of another workspace',
    open: () =>
      alterStorage((store, location) => ({
        async insert(row) {
          if (!(await findDanglingReference(location, row))) await store.insert(row)
        },
      })),
  },
  {
    guarantee: 'A reference leads to a record',
    breakage: 'update does not check references',
    noticedBy: 'references: stages.pipeline_id: insert, insertMany and update reject a nonexistent record',
    open: () =>
      alterStorage((store, location) => ({
        async update(row) {
          if (!(await findDanglingReference(location, row))) await store.update(row)
        },
      })),
  },
  {
    guarantee: 'A reference may lead to a deleted record',
    breakage: 'only live records can be referenced',
    noticedBy:
      'references: tasks.deal_id: a deleted record can be referenced, and deleting it changes no record',
    open: () =>
      alterStorage((store, location) => ({
        async insert(row) {
          const field = await findDanglingReference(location, row)
          if (field) throw new Error(`${field} does not exist.`)
          await store.insert(row)
        },
      })),
  },
]

function mapFields(row: Row, spec: CollectionSpec, kind: string, change: (value: unknown) => unknown): Row {
  const changed = Object.entries(row).map(([field, value]) => [
    field,
    spec.columns[field] === kind && value !== null ? change(value) : value,
  ])
  return Object.fromEntries(changed)
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function returnInsertedObjects(): Storage {
  const inserted = new Map<string, Row>()
  return alterStorage((store) => ({
    async insert(row) {
      await store.insert(row)
      inserted.set(row.id, row)
    },
    async update(row) {
      await store.update(row)
      Object.assign(inserted.get(row.id) ?? {}, row)
    },
    get: async (id) => inserted.get(id) ?? store.get(id),
  }))
}

function restoreDeleted(): Storage {
  const restored = new Map<string, Row>()
  return alterStorage((store) => ({
    async update(row) {
      if (await store.get(row.id)) await store.update(row)
      else restored.set(row.id, row)
    },
    get: async (id) => restored.get(id) ?? store.get(id),
  }))
}

function returnDeleted(): Storage {
  const deleted = new Map<string, Row>()
  return alterStorage((store) => ({
    async softDelete(id, at) {
      const row = await store.get(id)
      if (row) deleted.set(id, row)
      return store.softDelete(id, at)
    },
    getMany: async (ids) => [...(await store.getMany(ids)), ...ids.flatMap((id) => deleted.get(id) ?? [])],
  }))
}

/** Compares with the record as it was locked, also after a change. */
function skipFieldsOfLockedRecord(): Storage {
  return alterStorage((store) => {
    const locked = new Map<string, Row>()
    return {
      async getForUpdate(id, options) {
        const row = await store.getForUpdate(id, options)
        if (row) locked.set(id, row)
        return row
      },
      async update(row) {
        const before = locked.get(row.id)
        const changes = Object.entries(row).filter(([field, value]) => value !== before?.[field])
        const changed = { ...(await store.get(row.id)), ...Object.fromEntries(changes) }
        await store.update(changed as unknown as Row)
      },
    }
  })
}
