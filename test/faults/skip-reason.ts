import { spawnSync } from 'node:child_process'
import { isInstalled, packageOf } from '../programs-setup.ts'
import type { Fault } from './fault.ts'

/** Returns the reason why a fault cannot run on this machine, or undefined if it can. */
export function skipReason({
  programs = [],
  mounts,
  createsNetworks,
  urlVariable,
}: Pick<Fault, 'programs' | 'mounts' | 'createsNetworks' | 'urlVariable'>): string | undefined {
  if (urlVariable && !process.env[urlVariable]) return `${urlVariable} is not set`
  if (programs.includes('cc') && process.platform !== 'linux')
    return 'intercepting file operations requires Linux'
  const missing = programs.filter((name) => !isInstalled(name))
  if (missing.length > 0)
    return `there is no ${missing.join(' and no ')}: install ${missing.map(packageOf).join(' ')}`
  if (mounts && !canUnshare('--mount')) return 'mounting a file system requires root on Linux'
  if (createsNetworks && !canUnshare('--net')) return 'creating networks requires root on Linux'
  return undefined
}

function canUnshare(namespace: '--mount' | '--net'): boolean {
  return spawnSync('unshare', [namespace, 'true']).status === 0
}
