import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deferredStorage } from '../../../../../conformance/test/deferred-storage.ts'
import { createTestCrm, UNKNOWN_ID } from '../../../../test/harness.ts'
import { createRotationModel, phases } from '../../../../test/rotation.ts'
import { scheduledStorage } from '../../../../test/scheduled-storage.ts'
import { memoryStorage } from '../../../memory/index.ts'
import { accessTokens } from '../tokens/access-tokens.ts'

test('the first tokens, signed concurrently in two processes, are valid in both', async () => {
  const processIndexes = fc.array(fc.nat(1), { minLength: 2, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), processIndexes, async (s, indexes) => {
      const { ports } = await createTestCrm({ storage: deferredStorage() })
      const storage = scheduledStorage(ports.storage, s)
      const processes = [accessTokens({ ...ports, storage }), accessTokens({ ...ports, storage })] as const
      const grant = {
        id: UNKNOWN_ID,
        user_id: UNKNOWN_ID,
        client_id: UNKNOWN_ID,
        audience: 'interface',
      } as const
      const verifications = indexes.map(async (index) => {
        await s.schedule(Promise.resolve(), `process ${index}`)
        const token = await processes[index]!.sign(grant, UNKNOWN_ID, [])
        return Promise.all(processes.map((process) => process.verify(token, ['interface'])))
      })
      const results = (await s.waitFor(Promise.all(verifications))).flat()
      expect(results.map((claims) => typeof claims)).toEqual(results.map(() => 'object'))
    }),
    { numRuns: 50, timeout: 5000 },
  )
})

describe.each([
  ['serial', memoryStorage, 50],
  ['concurrent', deferredStorage, 60],
] as const)(
  'random sequences of refreshes, lost responses, revocations and retries, with %s transactions',
  (_, createStorage, numRuns) => {
    test.each(['app', 'program'] as const)(
      'leave one valid refresh token per live grant and none per revoked grant: %s',
      async (kind) => {
        const run = await createRotationModel(kind, createStorage())
        await fc.assert(fc.asyncProperty(fc.scheduler(), phases, run), { numRuns, timeout: 5000 })
      },
    )
  },
)
