import { memoryStorage } from '@sales-crm/core/memory'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openService, openWorkspace } from '../support/test-service.ts'

test('a call whose client has gone before it began is no warning', async () => {
  const lines: string[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) })
  const service = await openService(memoryStorage(), { log })
  const { token } = await openWorkspace(service)
  const headers = { Authorization: `Bearer ${token}` }
  await service.app.request('/v1/people', { headers }, { incoming: { socket: { destroyed: true } } })
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ level: 30, route: '/v1/people', status: 429 })
  expect(JSON.parse(lines.at(-1)!)).not.toHaveProperty('notice')
})
