import { expect, test } from 'vitest'
import { dataOf, rowsOf } from '../support/record-kind-cases.ts'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

const DAY_MS = 86_400_000

describeEachStore('the report of completed tasks', (open) => {
  test('counts what was completed by type, owner and month, and not what was opened again', async () => {
    const service = await openService(await open())
    const [acme, rival] = [await openWorkspace(service, 'Acme'), await openWorkspace(service, 'Rival')]
    let { token } = acme
    const call = (method: string, path: string, body?: object) => acme.call(method, path, body, { token })
    const advanceClock = async (milliseconds: number) => {
      service.advanceClock(milliseconds)
      token = await acme.tokenFor(acme.owner.email)
    }
    await call('PATCH', '/v1/workspace', { time_zone: 'America/Sao_Paulo' })
    const [phone, meeting] = rowsOf(await call('GET', '/v1/task-types'))
    const complete = async (fields: object) => {
      const task = { title: 'Do it', due_date: '2026-09-01T12:00:00Z', ...fields }
      const { id } = dataOf(await call('POST', '/v1/tasks', task))
      expect((await call('PATCH', `/v1/tasks/${id}`, { completed: true })).status).toBe(200)
      return id
    }
    const mine = { owner_user_id: acme.owner.id, type: phone!['id'] }
    await complete(mine)
    await complete(mine)
    await complete({ owner_user_id: null, type: meeting!['id'] })
    const reopened = await complete(mine)
    await call('PATCH', `/v1/tasks/${reopened}`, { completed: false })
    await call('POST', '/v1/tasks', { title: 'Open', due_date: '2026-03-01T12:00:00Z', ...mine })
    await rival.createRecord('/v1/tasks', {
      title: 'Theirs',
      completed: true,
      due_date: '2026-03-01T12:00:00Z',
    })
    // 31 March, 23:30 in São Paulo, is April in UTC.
    await advanceClock(31 * DAY_MS - 9.5 * 3_600_000)
    await complete(mine)

    const report = async (query = '') => dataOf(await call('GET', `/v1/reports/completed-tasks${query}`))
    const ofMine = (month: string, count: number) => ({
      ...{ month, count, owner: { id: acme.owner.id, name: 'Olga', email: acme.owner.email } },
      type: phone,
    })
    const ofNobody = expect.objectContaining({
      ...{ month: '2026-03', owner: null, count: 1, type: expect.objectContaining({ id: meeting!['id'] }) },
    })
    expect(await report()).toEqual({
      ...{ owner: null, team: null, from: null, to: null, more: false },
      rows: [ofMine('2026-03', 3), ofNobody],
    })
    await advanceClock(3_600_000)
    await complete(mine)
    expect((await report())['rows']).toEqual([ofMine('2026-03', 3), ofNobody, ofMine('2026-04', 1)])
    expect(await report(`?owner_email=${acme.owner.email}&to=2026-03-02T00:00:00Z`)).toMatchObject({
      owner: { id: acme.owner.id },
      rows: [ofMine('2026-03', 2)],
    })
    expect((await report('?from=2026-04-01T03:00:00Z'))['rows']).toEqual([ofMine('2026-04', 1)])
    const ofTasks = await acme.tokenFor(acme.owner.email, ['tasks:read'])
    const allowed = await acme.call('GET', '/v1/reports/completed-tasks', undefined, { token: ofTasks })
    expect(allowed.status).toBe(200)
    for (const [query, fields] of [
      ['?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z', { to: 'Must not be before from.' }],
      ['?team_id=01a1fc31-2670-7519-b740-1c4078945b9e', { team_id: 'Team not found.' }],
      ['?owner_email=nobody@acme.example', { owner_email: 'Member not found.' }],
      ['?pipeline_id=1', { pipeline_id: 'Unknown parameter.' }],
    ] as const) {
      const refused = await call('GET', `/v1/reports/completed-tasks${query}`)
      expect([refused.status, errorOf(refused)['fields']]).toEqual([422, fields])
    }
  })
})
