import { describe, expect, test } from 'vitest'
import type { DatabaseName } from '../../bench/databases.ts'
import { withEnvironment } from './environment.ts'
import type { Fault } from './fault.ts'
import { skipReason } from './skip-reason.ts'

/** Defines a brief test of each fault for one database. Files of tests run in parallel. */
export function testFaults(database: DatabaseName, faults: readonly Fault[]): void {
  const isTested = ({ databases, briefDatabase = database, urlVariable }: Fault) =>
    databases.includes(database) && briefDatabase === database && (!urlVariable || process.env[urlVariable])
  describe.each(faults.filter(isTested))('$title', (fault) => {
    const reason = skipReason(fault)
    const omission = reason === undefined ? '' : ` (left out: ${reason})`
    test.skipIf(reason !== undefined)(`keeps its guarantees on ${database}${omission}`, async () => {
      const summary = await withEnvironment(database, (environment) => fault.run(environment, 'brief'))
      if (summary === undefined) expect(process.env['REQUIRE_ALL']).toBeUndefined()
    })
  })
}
