import { spawnSync } from 'node:child_process'
import { isInstalled } from '../programs-setup.ts'
import type { Fault } from './fault.ts'

/** Returns the reason why a fault cannot run on this machine, or undefined if it can. */
export function skipReason({ program, mounts }: Pick<Fault, 'program' | 'mounts'>): string | undefined {
  if (program === 'cc' && process.platform !== 'linux') return 'intercepting file operations requires Linux'
  if (program !== undefined && !isInstalled(program)) return `${program} is not on the PATH`
  if (mounts && !canMount()) return 'mounting a file system requires root on Linux'
  return undefined
}

function canMount(): boolean {
  return spawnSync('unshare', ['--mount', 'true']).status === 0
}
