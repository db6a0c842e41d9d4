import type { Gate, Storage } from '@sales-crm/core/ports'
import { newId } from './case.ts'

export interface OpenGate {
  /** Where the gate looks grants and members up. */
  readonly storage: Storage
  readonly gate: Gate
  /** Moves the clock the gate counts by. Undefined when that is a database's. */
  readonly advance: ((seconds: number) => void | Promise<void>) | undefined
}

export interface GateContext extends OpenGate {
  readonly workspace: string
  readonly elsewhere: string
}

export function contextAt(open: OpenGate): GateContext {
  return { ...open, workspace: newId(), elsewhere: newId() }
}
