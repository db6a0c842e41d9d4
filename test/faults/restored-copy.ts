import { isDeepStrictEqual } from 'node:util'
import type { Records } from '@sales-crm/core/ports'
import { expectedInCopy, mergeWrites } from './copy-expectations.ts'
import type { FaultEnvironment } from './environment.ts'
import { expectStored } from './stored-records.ts'
import { type AcknowledgedWrites, startWriters } from './writers.ts'

/**
 * Compares a copy with the writes acknowledged before it was begun, and with its original.
 * @returns the expected content of the copy, and its number of tasks
 * @throws Error describing what the copy lacks, or contains partially or in a state that never existed
 */
export async function expectConsistentCopy(
  copy: FaultEnvironment,
  original: FaultEnvironment,
  writesBefore: AcknowledgedWrites,
  allWrites: AcknowledgedWrites,
): Promise<{ readonly known: AcknowledgedWrites; readonly tasks: number }> {
  const copied = await loadTasks(copy)
  const known = expectedInCopy(writesBefore, allWrites, copied)
  await expectStored(copy, known)
  expectEarlierState(copied, await loadTasks(original))
  return { known, tasks: copied.length }
}

/**
 * Starts the service on the restored database, writes to it, and compares again.
 * @returns the number of tasks created
 */
export async function expectWritable(
  restored: FaultEnvironment,
  known: AcknowledgedWrites,
  writeCount: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<number> {
  const service = await restored.startService(settings)
  const writers = startWriters({ token: restored.token, ports: [service.port] })
  await writers.waitForWrites(writeCount)
  const newWrites = await writers.stop()
  await service.stop()
  await expectStored(restored, mergeWrites(known, newWrites))
  return newWrites.tasks.size
}

function loadTasks({ withCore, workspaceId }: FaultEnvironment): Promise<readonly Records['tasks'][]> {
  return withCore(({ storage }) => storage.read((tx) => tx.workspace(workspaceId).tasks.find([])))
}

/** A task of the copy may differ from its original only by an earlier title, its terms and change time. */
function expectEarlierState(
  copied: readonly Records['tasks'][],
  original: readonly Records['tasks'][],
): void {
  const originals = new Map(original.map((task) => [task.id, task]))
  for (const task of copied) {
    const current = originals.get(task.id)
    if (!current) throw new Error(`Task ${task.id} is in the copy and not in the original.`)
    const { title, search_terms, updated_at } = current
    const changed = title === task.title ? {} : { title, search_terms, updated_at }
    if (!isDeepStrictEqual({ ...task, ...changed }, current) || task.updated_at > updated_at)
      throw new Error(
        `Task ${task.id} differs in the copy: ${JSON.stringify(task)} and ${JSON.stringify(current)}`,
      )
  }
}
