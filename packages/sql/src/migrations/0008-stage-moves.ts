import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, Tables } from '../dialect.ts'

export function stageMoves(_dialect: Dialect): Migration {
  return { async up(_db: Kysely<Tables>) {} }
}
