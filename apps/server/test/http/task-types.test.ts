import { expect, test } from 'vitest'
import { describeEachStore } from '../support/stores.ts'
import { openService, openWorkspace } from '../support/test-service.ts'

describeEachStore('the first task types', (open) => {
  test('have the same order in every workspace', async () => {
    const service = await openService(await open())
    for (let nth = 0; nth < 4; nth += 1) {
      const { call } = await openWorkspace(service)
      const { json } = await call('GET', '/v1/task-types?order=asc')
      const { data } = json as { data: readonly { key: string; created_at: string }[] }
      expect(data.map(({ key }) => key)).toEqual(['call', 'email', 'meeting', 'task'])
      expect(new Set(data.map(({ created_at }) => created_at)).size).toBe(4)
    }
  })
})
