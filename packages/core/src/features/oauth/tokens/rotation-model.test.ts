import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deferredStorage } from '../../../../../conformance/test/deferred-storage.ts'
import { createTestCrm, UNKNOWN_ID } from '../../../../test/harness.ts'
import { createRotationModel, phases } from '../../../../test/rotation.ts'
import { scheduledStorage } from '../../../../test/scheduled-storage.ts'
import { memoryStorage } from '../../../memory/index.ts'
import { accessTokens } from './access-tokens.ts'

test('the first tokens of all, asked for at once in two processes, are good in both', async () => {
  const asking = fc.array(fc.nat(1), { minLength: 2, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), asking, async (s, asking) => {
      const { ports } = await createTestCrm({ storage: deferredStorage() })
      const storage = scheduledStorage(ports.storage, s)
      const processes = [accessTokens({ ...ports, storage }), accessTokens({ ...ports, storage })] as const
      const grant = {
        id: UNKNOWN_ID,
        user_id: UNKNOWN_ID,
        client_id: UNKNOWN_ID,
        audience: 'interface',
      } as const
      const signed = asking.map(async (nth) => {
        await s.schedule(Promise.resolve(), `process ${nth}`)
        const token = await processes[nth]!.sign(grant, UNKNOWN_ID, [])
        return Promise.all(processes.map((each) => each.verify(token, ['interface'])))
      })
      const read = await s.waitFor(Promise.all(signed))
      expect(read.flat().map((claims) => typeof claims)).toEqual(read.flat().map(() => 'object'))
    }),
    { numRuns: 50, timeout: 5000 },
  )
})

describe.each([
  ['one after another', memoryStorage, 50],
  ['side by side', deferredStorage, 60],
] as const)(
  'whatever is refreshed, heard of, revoked and tried again, with transactions %s',
  (_, open, numRuns) => {
    test.each(['app', 'program'] as const)(
      'one refresh token of a grant works, and none of a grant that is over: %s',
      async (kind) => {
        const run = await createRotationModel(kind, open())
        await fc.assert(fc.asyncProperty(fc.scheduler(), phases, run), { numRuns, timeout: 5000 })
      },
    )
  },
)
