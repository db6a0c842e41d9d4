import type { Import } from '@sales-crm/client'

export const STEPS = ['file', 'columns', 'rules', 'check', 'run', 'result'] as const
export type StepName = (typeof STEPS)[number]

type ImportState = Import['state']

const STEP_OF_STATE: Readonly<Record<ImportState, StepName>> = {
  uploading: 'file',
  reading: 'file',
  unreadable: 'file',
  ready: 'columns',
  checking: 'check',
  checked: 'check',
  waiting: 'run',
  running: 'run',
  paused: 'run',
  done: 'result',
  cancelled: 'result',
  reverting: 'result',
  reverted: 'result',
}

/** The step of an import. Before it runs, the address may ask for an earlier one. */
export function findStep(state: ImportState, wanted: string | null): StepName {
  const isOpen = state === 'ready' || state === 'checked'
  return isOpen && (wanted === 'columns' || wanted === 'rules') ? wanted : STEP_OF_STATE[state]
}

const UNDER_WAY = new Set<ImportState>(['reading', 'checking', 'waiting', 'running', 'reverting'])

/** True while the service goes on by itself. */
export function isUnderWay(state: ImportState): boolean {
  return UNDER_WAY.has(state)
}
