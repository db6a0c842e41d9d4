import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lateStorage } from '../../../contract/test/late-storage.ts'
import { NOBODY, office } from '../../test/harness.ts'
import { phases, rotating } from '../../test/rotation.ts'
import { scheduledStorage } from '../../test/scheduled-storage.ts'
import { memoryStorage } from '../memory/index.ts'
import { accessTokens } from './tokens.ts'

test('the first tokens of all, asked for at once in two processes, are good in both', async () => {
  const asking = fc.array(fc.nat(1), { minLength: 2, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), asking, async (s, asking) => {
      const { ports } = await office({ storage: lateStorage() })
      const storage = scheduledStorage(ports.storage, s)
      const processes = [accessTokens({ ...ports, storage }), accessTokens({ ...ports, storage })] as const
      const grant = { id: NOBODY, user_id: NOBODY, client_id: NOBODY, audience: 'interface' } as const
      const signed = asking.map(async (nth) => {
        await s.schedule(Promise.resolve(), `process ${nth}`)
        const token = await processes[nth]!.sign(grant, NOBODY, [])
        return Promise.all(processes.map((each) => each.read(token, ['interface'])))
      })
      const read = await s.waitFor(Promise.all(signed))
      expect(read.flat().map((claims) => typeof claims)).toEqual(read.flat().map(() => 'object'))
    }),
    { numRuns: 50, timeout: 5000 },
  )
})

describe.each([
  ['one after another', memoryStorage, 50],
  ['side by side', lateStorage, 60],
] as const)('whatever is refreshed, heard of, revoked and tried again, with transactions %s', (_, open, numRuns) => {
  test.each(['app', 'program'] as const)('one refresh token of a grant works, and none of a grant that is over: %s', async (kind) => {
    const run = await rotating(kind, open())
    await fc.assert(fc.asyncProperty(fc.scheduler(), phases, run), { numRuns, timeout: 5000 })
  })
})
