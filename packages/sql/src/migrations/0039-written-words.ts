import { RESOURCES } from '@sales-crm/core/declarations'
import type { Kysely } from 'kysely'
import type { Dialect, MigrationOptions, Tables } from '../dialect.ts'
import { fillSearchTerms } from './fill-search-terms.ts'

/** Adds the words of tasks and activities to their terms, which had facets only. */
export async function fillWrittenWords(
  db: Kysely<Tables>,
  dialect: Dialect,
  options: MigrationOptions,
): Promise<void> {
  const { tasks, activities } = RESOURCES
  const column = 'search_terms'
  const { searchTerms } = tasks
  await fillSearchTerms(db, dialect, { table: 'tasks', column, searchTerms, options })
  // An activity has up to 100 000 characters.
  const notes = { table: 'activities', batchSize: 100 } as const
  await fillSearchTerms(db, dialect, { ...notes, column, searchTerms: activities.searchTerms, options })
}
