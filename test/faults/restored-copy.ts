import { isDeepStrictEqual } from 'node:util'
import type { Records } from '@sales-crm/core/ports'
import { expectedInCopy, mergeWritten } from './copy-expectations.ts'
import type { FaultEnvironment } from './environment.ts'
import { expectStored } from './stored-records.ts'
import { type AcknowledgedWrites, startWriters } from './writers.ts'

/**
 * Compares a copy with what was acknowledged before it was begun, and with its original. @returns what
 * callers know of it, and how many tasks are in it
 * @throws Error that says what the copy lacks, has half, or has otherwise than it ever was
 */
export async function expectConsistentCopy(
  copy: FaultEnvironment,
  original: FaultEnvironment,
  before: AcknowledgedWrites,
  later: AcknowledgedWrites,
): Promise<{ readonly known: AcknowledgedWrites; readonly tasks: number }> {
  const copied = await tasksIn(copy)
  const known = expectedInCopy(before, later, copied)
  await expectStored(copy, known)
  expectEarlier(copied, await tasksIn(original))
  return { known, tasks: copied.length }
}

/** Serves from what was restored, writes to it, and compares again. @returns how many tasks were made */
export async function expectWritable(
  restored: FaultEnvironment,
  known: AcknowledgedWrites,
  writes: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<number> {
  const service = await restored.start(settings)
  const writers = startWriters({ token: restored.token, ports: [service.port] })
  await writers.acknowledged(writes)
  const since = await writers.stop()
  await service.stop()
  await expectStored(restored, mergeWritten(known, since))
  return since.tasks.size
}

function tasksIn({ look, workspaceId }: FaultEnvironment): Promise<readonly Records['tasks'][]> {
  return look(({ storage }) => storage.read((tx) => tx.workspace(workspaceId).tasks.find([])))
}

/** Only its title changes a task, and with it the moment of its change. */
function expectEarlier(copied: readonly Records['tasks'][], original: readonly Records['tasks'][]): void {
  const now = new Map(original.map((task) => [task.id, task]))
  for (const task of copied) {
    const later = now.get(task.id)
    if (!later) throw new Error(`Task ${task.id} is in the copy and not in what was copied.`)
    const { title, updated_at } = later
    const changed = title === task.title ? {} : { title, updated_at }
    if (!isDeepStrictEqual({ ...task, ...changed }, later) || task.updated_at > updated_at)
      throw new Error(
        `Task ${task.id} differs in the copy: ${JSON.stringify(task)} and ${JSON.stringify(later)}`,
      )
  }
}
