import { describe, expect, test } from 'vitest'
import type { DatabaseName } from '../rows.ts'
import { FAULTS } from './faults.ts'
import { leftOut } from './left-out.ts'
import { inPlace } from './place.ts'

/** Every fault that a database may meet, for seconds each. A file for each database, so that they are run side by side. */
export function testFaultsOf(database: DatabaseName): void {
  describe.each(FAULTS.filter(({ databases }) => databases.includes(database)))('$title', (fault) => {
    test.skipIf(leftOut(fault) !== undefined)(`keeps every promise on ${database}`, async () => {
      const said = await inPlace(database, (place) => fault.run(place, 'brief'))
      if (said === undefined) expect(process.env['REQUIRE_ALL']).toBeUndefined()
    })
  })
}
