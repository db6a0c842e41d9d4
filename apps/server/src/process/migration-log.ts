import type { ServiceLog } from '../observability/service-log.ts'
import type { OpenStoreOptions } from './open-store.ts'

const FIRST_MIGRATION = '0001_records'

/**
 * Logs which migrations run at a start, and how long each takes: it may be minutes on a large database. A new database
 * gets one line.
 */
export function logMigrations(
  log: Pick<ServiceLog, 'info'>,
): Required<Pick<OpenStoreOptions, 'onPending' | 'onMigration'>> {
  let isNew = false
  return {
    onPending(names) {
      isNew = names[0] === FIRST_MIGRATION
      log.info(
        isNew ? 'Creating the tables of a new database.' : `Applying the migrations ${names.join(', ')}.`,
      )
    },
    onMigration(name, durationMs) {
      if (!isNew) log.info(`Applied the migration ${name} in ${durationMs} ms.`)
    },
  }
}
