import { expect, test } from 'vitest'
import { addMemberWithPassword, signInToConsole } from '../support/page-browser.ts'
import { dataOf } from '../support/record-kind-cases.ts'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

const FEED = '/v1/me/calendar-feed'

describeEachStore('the settings of a member', (open) => {
  test('give out a calendar of its tasks, and change by its own token of the console', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const { email } = await addMemberWithPassword(service, acme)
    const as = { token: await signInToConsole(service, email) }
    const changed = await acme.call('PATCH', '/v1/me', { language: 'pt-BR' }, as)
    expect([changed.status, dataOf(changed)['language']]).toEqual([200, 'pt-BR'])
    const task = { title: 'Ligar; já', owner_email: email, due_date: '2026-03-05T12:00:00Z' }
    await acme.createRecord('/v1/tasks', task)
    const made = await acme.call('POST', FEED, undefined, as)
    expect(made.status).toBe(201)
    const { pathname } = new URL(dataOf(made)['url'] as string)
    const read = (path: string) => service.app.request(path)
    const calendar = await read(pathname)
    expect([calendar.status, calendar.headers.get('Content-Type')]).toEqual([
      200,
      'text/calendar; charset=utf-8',
    ])
    expect(calendar.headers.get('Cache-Control')).toBe('private, no-store')
    expect(await calendar.text()).toContain('SUMMARY:Ligar\\; já\r\n')
    expect((await read(`${pathname}?a=1`)).status).toBe(422)
    expect((await read(pathname.replace('.ics', ''))).status).toBe(404)
    expect((await read('/calendar/crm_cf_.ics')).status).toBe(404)
    for (const method of ['POST', 'DELETE']) expect((await acme.call(method, FEED)).status, method).toBe(403)
    const unknown = await acme.call('POST', FEED, { days: 3 }, as)
    expect([unknown.status, errorOf(unknown)['fields']]).toEqual([422, { days: 'Unknown field.' }])
    expect((await acme.call('POST', FEED, '{', as)).status).toBe(400)
    expect((await acme.call('DELETE', FEED, undefined, as)).status).toBe(204)
    expect((await read(pathname)).status).toBe(404)
  })
})
