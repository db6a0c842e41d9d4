import type { AccessGate, Storage } from '@sales-crm/core/ports'
import { newId } from './case.ts'

export interface OpenAccessGate {
  /** Holds the grants and members that the gate looks up. */
  readonly storage: Storage
  readonly gate: AccessGate
  /** Advances the gate's clock. Undefined for a gate that uses a database's clock. */
  readonly advance: ((seconds: number) => void | Promise<void>) | undefined
}

export interface AccessGateContext extends OpenAccessGate {
  readonly workspace: string
  readonly otherWorkspace: string
}

export function createGateContext(open: OpenAccessGate): AccessGateContext {
  return { ...open, workspace: newId(), otherWorkspace: newId() }
}
