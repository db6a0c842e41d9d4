import type { AccessGate, Storage } from '@sales-crm/core/ports'
import { newId } from './case.ts'

export interface OpenAccessGate {
  /** Where the gate looks grants and members up. */
  readonly storage: Storage
  readonly gate: AccessGate
  /** Moves the clock the gate counts by. Undefined when that is a database's. */
  readonly advance: ((seconds: number) => void | Promise<void>) | undefined
}

export interface AccessGateContext extends OpenAccessGate {
  readonly workspace: string
  readonly otherWorkspace: string
}

export function createGateContext(open: OpenAccessGate): AccessGateContext {
  return { ...open, workspace: newId(), otherWorkspace: newId() }
}
