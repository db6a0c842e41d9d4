import { conflict, type Storage } from '@sales-crm/core/ports'
import { type CollectionSpec, GLOBAL_COLLECTIONS, type Row } from '../src/collections.ts'
import { alterStorage, findConflict, findDanglingReference, mapReads } from './altered-storage.ts'
import type { Breakage } from './breakage.ts'

export const RECORD_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'JSON is kept as it is',
    breakage: 'the keys of objects come back sorted',
    noticedBy: 'round trip: people: json comes back to the letter',
    open: () => mapReads((row, place) => mapFields(row, place, 'json', sortedKeys)),
  },
  {
    guarantee: 'Text is kept as it is',
    breakage: 'text is normalised to NFC',
    noticedBy: 'round trip: tasks: text comes back to the letter',
    open: () => mapReads((row, place) => mapFields(row, place, 'text', (value) => String(value).normalize())),
  },
  {
    guarantee: 'Integers are kept to 10^15',
    breakage: 'integers have 32 bits',
    noticedBy: 'round trip: deals: integer comes back to the letter',
    open: () => mapReads((row, place) => mapFields(row, place, 'integer', (value) => Number(value) | 0)),
  },
  {
    guarantee: 'Instants have milliseconds',
    breakage: 'instants are cut to the second',
    noticedBy: 'round trip: tasks: instant comes back to the letter',
    open: () =>
      mapReads((row, place) =>
        mapFields(row, place, 'instant', (value) => `${String(value).slice(0, 19)}.000Z`),
      ),
  },
  {
    guarantee: 'Booleans are booleans',
    breakage: 'booleans come back as 0 and 1',
    noticedBy: 'round trip: tasks: boolean comes back to the letter',
    open: () => mapReads((row, place) => mapFields(row, place, 'boolean', Number)),
  },
  {
    guarantee: 'Null is null',
    breakage: 'a null text comes back as empty text',
    noticedBy: 'round trip: people: null comes back as null, in every field that may be null',
    open: () =>
      mapReads((row, place) => ({
        ...row,
        ...(place.name === 'people' && row['position'] === null ? { position: '' } : {}),
      })),
  },
  {
    guarantee: 'A record has its own fields and no other',
    breakage: "the store's own columns come along",
    noticedBy: 'round trip: apps: a record comes back as it went in, whichever way it is read',
    open: () => mapReads((row) => ({ ...row, deleted_at: null })),
  },
  {
    guarantee: 'A field of a shared record is its own, whatever it is called',
    breakage: 'the workspace_id of a shared record is taken for the column of a store',
    noticedBy: 'round trip: codes: a record comes back as it went in, whichever way it is read',
    open: () =>
      mapReads((row, place) =>
        GLOBAL_COLLECTIONS.includes(place) && 'workspace_id' in row
          ? { ...row, workspace_id: undefined }
          : row,
      ),
  },
  {
    guarantee: 'Records are plain values',
    breakage: 'the very object that was inserted is given back',
    noticedBy:
      'round trip: a record keeps its values when the one it was made from is changed, and one that was read is not changed by an update',
    open: givesBackTheSame,
  },
  {
    guarantee: 'update writes every field',
    breakage: 'update leaves a field that is set to null as it was',
    noticedBy: 'update and softDelete: people: update writes every field, and no other record',
    open: () =>
      alterStorage((store) => ({
        async update(row) {
          const set = Object.entries(row).filter(([, value]) => value !== null)
          await store.update({ ...(await store.get(row.id)), ...(Object.fromEntries(set) as unknown as Row) })
        },
      })),
  },
  {
    guarantee: 'update writes whatever differs from before',
    breakage: 'update takes before for what is written',
    noticedBy:
      'update and softDelete: deals: update that is told what the record was writes whatever differs, be it one field or all',
    open: () => alterStorage((store) => ({ update: (row, before) => store.update(before ?? row) })),
  },
  {
    guarantee: 'A record that is not there stays away',
    breakage: 'update inserts what it does not find',
    noticedBy:
      'update and softDelete: tasks: update of a record that never was makes none, and checks nothing about it',
    open: () =>
      alterStorage((store) => ({
        update: async (row) => ((await store.get(row.id)) ? store.update(row) : store.insert(row)),
      })),
  },
  {
    guarantee: 'Nothing is checked about a record that is not there',
    breakage: 'update looks for a conflict first',
    noticedBy:
      'update and softDelete: users: update of a record that never was makes none, and checks nothing about it',
    open: () =>
      alterStorage((store, { spec: place }) => ({
        async update(row) {
          const taken = await findConflict(store, place, row)
          if (taken) throw conflict(taken)
          await store.update(row)
        },
      })),
  },
  {
    guarantee: 'A deleted record stays away',
    breakage: 'update brings a deleted record back',
    noticedBy: 'update and softDelete: deals: update does not bring back a deleted record',
    open: resurrects,
  },
  {
    guarantee: 'Deleted records do not exist',
    breakage: 'getMany still finds them',
    noticedBy:
      'update and softDelete: companies: a deleted record is gone for every way of reading, and no other is',
    open: remembersTheDead,
  },
  {
    guarantee: 'softDelete is false when there was nothing to delete',
    breakage: 'softDelete always answers true',
    noticedBy: 'update and softDelete: users: softDelete answers false when there was nothing to delete',
    open: () =>
      alterStorage((store) => ({ softDelete: async (id, at) => (await store.softDelete(id, at)) || true })),
  },
  {
    guarantee: 'An id is of one record',
    breakage: 'insert overwrites the record of that id',
    noticedBy: 'update and softDelete: apps: insert refuses an id that a record has, live or deleted',
    open: () =>
      alterStorage((store) => ({
        insert: async (row) => ((await store.get(row.id)) ? store.update(row) : store.insert(row)),
      })),
  },
  {
    guarantee: 'A reference stays in its workspace',
    breakage: 'references are not checked by insert',
    noticedBy:
      'references: people.company_id: a record of another workspace is refused by insert, insertMany and update',
    open: () =>
      alterStorage((store, spot) => ({
        async insert(row) {
          if (!(await findDanglingReference(spot, row))) await store.insert(row)
        },
      })),
  },
  {
    guarantee: 'A reference leads somewhere',
    breakage: 'references are not checked by update',
    noticedBy:
      'references: stages.pipeline_id: a record that is nowhere is refused by insert, insertMany and update',
    open: () =>
      alterStorage((store, spot) => ({
        async update(row) {
          if (!(await findDanglingReference(spot, row))) await store.update(row)
        },
      })),
  },
  {
    guarantee: 'A reference may lead to a deleted record',
    breakage: 'only live records may be referred to',
    noticedBy:
      'references: tasks.deal_id: a deleted record may be referred to, and deleting it changes no record',
    open: () =>
      alterStorage((store, spot) => ({
        async insert(row) {
          const stray = await findDanglingReference(spot, row)
          if (stray) throw new Error(`${stray} is not there.`)
          await store.insert(row)
        },
      })),
  },
]

function mapFields(row: Row, place: CollectionSpec, kind: string, change: (value: unknown) => unknown): Row {
  const changed = Object.entries(row).map(([field, value]) => [
    field,
    place.columns[field] === kind && value !== null ? change(value) : value,
  ])
  return Object.fromEntries(changed)
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function givesBackTheSame(): Storage {
  const given = new Map<string, Row>()
  return alterStorage((store) => ({
    async insert(row) {
      await store.insert(row)
      given.set(row.id, row)
    },
    async update(row) {
      await store.update(row)
      Object.assign(given.get(row.id) ?? {}, row)
    },
    get: async (id) => given.get(id) ?? store.get(id),
  }))
}

function resurrects(): Storage {
  const revived = new Map<string, Row>()
  return alterStorage((store) => ({
    async update(row) {
      if (await store.get(row.id)) await store.update(row)
      else revived.set(row.id, row)
    },
    get: async (id) => revived.get(id) ?? store.get(id),
  }))
}

function remembersTheDead(): Storage {
  const dead = new Map<string, Row>()
  return alterStorage((store) => ({
    async softDelete(id, at) {
      const row = await store.get(id)
      if (row) dead.set(id, row)
      return store.softDelete(id, at)
    },
    getMany: async (ids) => [...(await store.getMany(ids)), ...ids.flatMap((id) => dead.get(id) ?? [])],
  }))
}
