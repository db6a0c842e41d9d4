import { describe, expect, test } from 'vitest'
import type { DatabaseName } from '../../bench/rows.ts'
import { withEnvironment } from './environment.ts'
import { FAULTS } from './faults.ts'
import { skipReason } from './skip-reason.ts'

/**
 * Every fault that a database may meet, for seconds each. A file for each database, so that they are run side
 * by side.
 */
export function testFaults(database: DatabaseName): void {
  describe.each(FAULTS.filter(({ databases }) => databases.includes(database)))('$title', (fault) => {
    test.skipIf(skipReason(fault) !== undefined)(`keeps every promise on ${database}`, async () => {
      const said = await withEnvironment(database, (place) => fault.run(place, 'brief'))
      if (said === undefined) expect(process.env['REQUIRE_ALL']).toBeUndefined()
    })
  })
}
