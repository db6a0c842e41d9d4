import type { Storage } from '@sales-crm/core/ports'
import { postgresStorage } from '@sales-crm/postgres'
import { sqliteStorage } from '@sales-crm/sqlite'

/** A database that outlives the storage opened on it: a file path or a URL. */
export interface DatabaseLocation {
  readonly driver: 'sqlite' | 'postgres'
  readonly location: string
}

export function openStorageAt({ driver, location }: DatabaseLocation): Promise<Storage> {
  return driver === 'sqlite' ? sqliteStorage({ file: location }) : postgresStorage({ url: location, pool: 4 })
}
