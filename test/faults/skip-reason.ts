import { isInstalled } from '../programs-setup.ts'
import type { Fault } from './fault.ts'

/** Returns the reason why a fault cannot run on this machine, or undefined if it can. */
export function skipReason({ program }: Pick<Fault, 'program'>): string | undefined {
  if (program === 'cc' && process.platform !== 'linux') return 'intercepting file operations requires Linux'
  if (program !== undefined && !isInstalled(program)) return `${program} is not on the PATH`
  return undefined
}
