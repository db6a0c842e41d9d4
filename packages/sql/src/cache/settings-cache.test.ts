import { expect, test } from 'vitest'
import { SHARED_VERSIONED_TABLES, VERSIONED_TABLES } from '../migrations/0011-settings-versions.ts'
import { SETTINGS, SHARED_SETTINGS } from '../settings-collections.ts'

test('what is remembered has a version that changes with it, by the triggers of some migration', () => {
  expect(SETTINGS).toEqual([...VERSIONED_TABLES, 'teams', 'views', 'lost_reasons'])
  expect(SHARED_SETTINGS).toEqual(SHARED_VERSIONED_TABLES)
})
