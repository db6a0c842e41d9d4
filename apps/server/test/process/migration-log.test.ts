import { expect, test } from 'vitest'
import { logMigrations } from '../../src/process/migration-log.ts'

function collectLines(...names: readonly string[]): string[] {
  const lines: string[] = []
  const times = ['2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00.012Z', '2026-03-01T12:01:00.012Z']
  const { onPending, onMigration } = logMigrations(
    { info: (line) => lines.push(String(line)) },
    () => times.shift()!,
  )
  onPending(names)
  for (const name of names) onMigration(name)
  return lines
}

test('an upgrade logs what runs, and each migration with its duration', () => {
  expect(collectLines('0022_runs', '0023_examples')).toEqual([
    'Applying the migrations 0022_runs, 0023_examples.',
    'Applied the migration 0022_runs in 12 ms.',
    'Applied the migration 0023_examples in 60000 ms.',
  ])
})

test('a new database logs one line', () => {
  expect(collectLines('0001_records', '0003_associations')).toEqual([
    'Creating the tables of a new database.',
  ])
})
