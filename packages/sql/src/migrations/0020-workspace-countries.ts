import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { columnType } from './record-table.ts'

/** Adds the country of a workspace: the one that its locale names. */
export async function addWorkspaceCountries(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await sql`alter table workspaces add column country ${columnType('text', dialect)}`.execute(db)
  const { rows } = await sql<{ id: string; locale: string }>`select id, locale from workspaces`.execute(db)
  for (const { id, locale } of rows) {
    const country = findRegion(locale)
    if (country !== undefined)
      await sql`update workspaces set country = ${country} where id = ${id}`.execute(db)
  }
}

/** A region of two letters is a country; one of three digits, such as in `es-419`, is not. */
function findRegion(locale: string): string | undefined {
  const { region } = new Intl.Locale(locale)
  return region?.length === 2 ? region : undefined
}
