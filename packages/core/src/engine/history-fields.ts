import * as v from 'valibot'
import type { Actor } from '../kernel/actor.ts'
import { forbidden } from '../kernel/errors.ts'
import { instant } from '../kernel/field-schemas.ts'
import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'
import { mayManage } from '../kernel/role.ts'
import type { Extension, RestrictedFields } from './extension.ts'

/** The scope of the fields that keep the dates of another system. */
export const HISTORY_SCOPE = 'imports:manage'

/** The fields of a create that tell its past, for owners and admins with the scope. Others do not have them. */
export function historyFields(names: readonly string[]): RestrictedFields {
  return {
    entries: Object.fromEntries(names.map((name) => [name, v.nullish(instant)])),
    allows: ({ role, scopes }: Actor) => mayManage(role) && scopes.has(HISTORY_SCOPE),
  }
}

/** Lets a create set when the record was created. */
export function creationHistory<R extends RecordBase>(label: string): Extension<R> {
  return {
    inputFields: ['created_at'],
    restricted: historyFields(['created_at']),
    async resolve({ created_at }, _before, _transaction, errors, { at }) {
      if (created_at == null) return {}
      checkPast('created_at', created_at as Instant, at, errors)
      return { ownFields: { created_at }, requirePermissions: requireManager(label) }
    },
  }
}

export function checkPast(field: string, value: Instant, at: Instant, errors: Map<string, string>): void {
  if (value > at) errors.set(field, 'Must not be in the future.')
}

/** The role may have changed since the call began. */
export function requireManager(label: string): (member: Actor) => Promise<void> {
  return async ({ role }) => {
    if (!mayManage(role)) throw forbidden('create', label.toLowerCase())
  }
}
