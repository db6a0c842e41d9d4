import { backup } from './backup.ts'
import { citus } from './citus/citus.ts'
import { clocks } from './clocks.ts'
import { corrupt } from './corrupt.ts'
import { databaseStop } from './database-stop.ts'
import { deadlock } from './deadlock.ts'
import { diskFull, failingFsync, readOnlyDisk } from './disk-faults.ts'
import { dump } from './dump.ts'
import { failover } from './failover/failover.ts'
import type { Fault } from './fault.ts'
import { flood } from './flood.ts'
import { fullBackupDisk } from './full-backup-disk.ts'
import { idleConnections } from './idle-connections.ts'
import { importKill } from './import-kill.ts'
import { importDiskFull, importOutage } from './import-outage.ts'
import { kill } from './kill.ts'
import { logRemoved } from './log-removed.ts'
import { noisyNeighbour } from './noisy-neighbour.ts'
import { pooler } from './pooler.ts'
import { quota } from './quota.ts'
import { readReplicas } from './read-replicas.ts'
import { replica } from './replica.ts'
import { slowCalls } from './slow-calls/slow-calls.ts'
import { slowClients } from './slow-clients.ts'
import { stop } from './stop.ts'
import { kernelReadOnly, unwritableFile } from './unwritable.ts'
import { upgrade } from './upgrade.ts'
import { workspaceMove } from './workspace-move.ts'

/** Of several processes of the service, or several servers of the database. */
export const SERVER_FAULTS: readonly Fault[] = [
  replica,
  clocks,
  upgrade,
  failover,
  readReplicas,
  citus,
  pooler,
  importOutage,
  dump,
  workspaceMove,
]

/** All faults, in the order in which they run. */
export const FAULTS: readonly Fault[] = [
  kill,
  importKill,
  importDiskFull,
  stop,
  diskFull,
  readOnlyDisk,
  failingFsync,
  unwritableFile,
  kernelReadOnly,
  corrupt,
  logRemoved,
  databaseStop,
  deadlock,
  slowClients,
  idleConnections,
  flood,
  noisyNeighbour,
  slowCalls,
  quota,
  backup,
  fullBackupDisk,
  ...SERVER_FAULTS,
]
