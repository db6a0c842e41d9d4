import type { DatabaseName } from '../../bench/rows.ts'
import type { FaultEnvironment } from './environment.ts'

/** `brief` is what every test run does, a few seconds of it; `thorough` is for whoever has minutes. */
export type Effort = 'brief' | 'thorough'

export type RequiredProgram = 'cc' | 'pgbouncer'

/** Something that goes wrong under load, and what must hold all the same. */
export interface Fault {
  readonly name: string
  readonly title: string
  readonly databases: readonly DatabaseName[]
  /** Left out where this program is not on the `PATH`. */
  readonly program?: RequiredProgram
  /**
   * Does the harm, and gives what was seen as one line with its numbers.
   * @throws Error that names the promise that was broken
   */
  run(place: FaultEnvironment, effort: Effort): Promise<string>
}
