import { randomUUID } from 'node:crypto'
import type { Storage } from '@sales-crm/core/ports'

/** What a case works with: a store that may hold anything, and two workspaces nobody has used yet. */
export interface Context {
  readonly storage: Storage
  readonly workspace: string
  readonly otherWorkspace: string
}

/** One sentence a store keeps or breaks. `run` rejects when it is broken. */
export interface Case<C = Context> {
  readonly name: string
  run(context: C): Promise<void>
}

export interface Group<C = Context> {
  readonly name: string
  readonly cases: readonly Case<C>[]
}

export function createContext(storage: Storage): Context {
  return { storage, workspace: newId(), otherWorkspace: newId() }
}

export function newId(): string {
  return randomUUID()
}
