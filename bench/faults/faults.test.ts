import { describe, expect, test } from 'vitest'
import { FAULTS } from './faults.ts'
import { leftOut } from './left-out.ts'
import { inPlace } from './place.ts'

describe.each(FAULTS)('$title', (fault) => {
  test.skipIf(leftOut(fault) !== undefined).each(fault.databases)('keeps every promise on %s', async (database) => {
    const said = await inPlace(database, (place) => fault.run(place, 'brief'))
    if (said === undefined) expect(process.env['REQUIRE_ALL']).toBeUndefined()
  })
})
