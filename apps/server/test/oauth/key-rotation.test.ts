import { expect, test } from 'vitest'
import { describeEachStore } from '../support/stores.ts'
import { openService, openWorkspace } from '../support/test-service.ts'

describeEachStore('the signing key', (open) => {
  test('survives twenty concurrent rotations, and earlier tokens stay valid', async () => {
    const storage = await open()
    const service = await openService(storage)
    const { call } = await openWorkspace(service)
    const kids = await Promise.all(
      Array.from({ length: 20 }, async () => (await service.crm.operator.rotateKey()).kid),
    )
    const keys = await storage.read((tx) => tx.signing_keys.find([]))
    const current = keys.filter(({ role }) => role === 'current')
    expect(current).toHaveLength(1)
    expect(kids).toContain(current[0]?.id)
    expect((await call('GET', '/v1/tasks')).status).toBe(200)
  })
})
