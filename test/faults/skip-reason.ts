import { isInstalled } from '../programs-setup.ts'
import type { Fault } from './fault.ts'

/** Why a fault cannot be had on this machine. Undefined where it can. */
export function skipReason({ program }: Pick<Fault, 'program'>): string | undefined {
  if (program === 'cc' && process.platform !== 'linux')
    return 'only on Linux can it be put between the service and its disk'
  if (program !== undefined && !isInstalled(program)) return `there is no ${program}`
  return undefined
}
