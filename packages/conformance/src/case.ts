import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { Storage } from '@sales-crm/core/ports'

/** The store under test, which may already hold data, and two unused workspaces. */
export interface Context {
  readonly storage: Storage
  readonly workspace: string
  readonly otherWorkspace: string
}

/** One guarantee of the port. `run` rejects when the store breaks it. */
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

/**
 * Returns a function that runs another one outside of every transaction that begins later: a transaction within the
 * work of another is an error.
 */
export function leaveTransactions(): <T>(run: () => T) => T {
  return AsyncLocalStorage.snapshot()
}

export function newId(): string {
  return randomUUID()
}
