import type { Clock } from '@sales-crm/core/ports'
import { systemClock } from '@sales-crm/node'
import type { ServiceLog } from '../observability/service-log.ts'
import type { OpenStoreOptions } from './open-store.ts'

const FIRST_MIGRATION = '0001_records'
/** Records between two lines of progress. */
const PROGRESS_ROWS = 20_000

/** Returns an `onMigration` that adds to each name the milliseconds since the call before, or since this one. */
export function timeMigrations(
  onDuration: (name: string, durationMs: number) => void,
  now: Clock = systemClock(),
): (name: string) => void {
  let before = Date.parse(now())
  return (name) => {
    const at = Date.parse(now())
    onDuration(name, at - before)
    before = at
  }
}

/**
 * Logs which migrations run at a start, and how long each takes: it may be minutes on a large database. A new database
 * gets one line.
 */
export function logMigrations(
  log: Pick<ServiceLog, 'info'>,
  now?: Clock,
): Required<Pick<OpenStoreOptions, 'onPending' | 'onMigration' | 'onProgress'>> {
  let onMigration: ((name: string) => void) | undefined
  return {
    onPending(names) {
      if (names[0] === FIRST_MIGRATION) return log.info('Creating the tables of a new database.')
      log.info(`Applying the migrations ${names.join(', ')}.`)
      onMigration = timeMigrations(
        (name, durationMs) => log.info(`Applied the migration ${name} in ${durationMs} ms.`),
        now,
      )
    },
    onMigration: (name) => onMigration?.(name),
    onProgress(table, rows) {
      if (rows % PROGRESS_ROWS === 0) log.info(`Rewrote ${rows} records of ${table}.`)
    },
  }
}
