import type { Fault } from './fault.ts'
import { kill } from './kill.ts'

/** In the order in which they are run. */
export const FAULTS: readonly Fault[] = [kill]
