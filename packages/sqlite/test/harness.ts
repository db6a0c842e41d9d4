import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReadOptions, Storage } from '@sales-crm/core/ports'

export const WORKSPACE = '0191d2f0-0000-7000-8000-000000000001'
const AT = '2026-03-01T12:00:00.000Z'

export function createTempPath(): string {
  return join(mkdtempSync(join(tmpdir(), 'crm-sqlite-')), 'crm.db')
}

function taskType(key: string, number = 0) {
  const id = `0191d2f0-0000-7000-8000-${String(number).padStart(12, '0')}`
  return { id, title: 'Call', color: '#6b7280', key, created_at: AT, updated_at: AT }
}

export function addTaskType(
  { transact }: Pick<Storage, 'transact'>,
  key: string,
  number: number,
): Promise<void> {
  return transact((tx) => tx.workspace(WORKSPACE).task_types.insert(taskType(key, number)))
}

export async function readKeys(storage: Pick<Storage, 'read'>, options?: ReadOptions): Promise<string[]> {
  const rows = await storage.read((tx) => tx.workspace(WORKSPACE).task_types.find([]), options)
  return rows.map(({ key }) => key)
}
