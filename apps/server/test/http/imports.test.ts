import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { BYTES, importOf, uploadFile, workOffImports } from '../support/import-files.ts'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

const FILE = [
  'Deal - Title,Deal - Value,Deal - Status,Deal - Stage,Deal - ID,Person - Name,Person - Email,Organization - Name',
  '"Licences, yearly","1.234,50",open,Won,7001,Helena Dias,helena@ipe.example,Grupo Ipê',
  'Training,"98,00",won,,7002,Helena Dias,helena@ipe.example,Grupo Ipê',
  'Support,abc,open,,7003,Jonas Brandt,jonas@,Sebo Ltda',
].join('\r\n')

describeEachStore('an import', (open) => {
  test('makes linked records of a file, tells what it left out, and takes them back', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const stages = [{ name: 'Open' }, { name: 'Won', type: 'win' }]
    await acme.createRecord('/v1/pipelines', { name: 'Sales', stages })
    const { id, state, system } = await uploadFile(acme, service, FILE)
    expect({ state, system }).toEqual({ state: 'ready', system: 'Pipedrive' })
    const path = `/v1/imports/${id}`
    const patched = await acme.call('PATCH', path, { tags: ['Moved'] })
    expect(patched.status).toBe(200)
    const counts = {
      people: { created: 1, updated: 0, unchanged: 1, left_out: 1 },
      companies: { created: 2, updated: 0, unchanged: 1, left_out: 0 },
      deals: { created: 2, updated: 0, unchanged: 0, left_out: 1 },
    }
    expect((await acme.call('POST', `${path}/check`)).status).toBe(200)
    await workOffImports(service.crm)
    expect(importOf(await acme.call('GET', path))).toMatchObject({ state: 'checked', report: { counts } })
    expect((await acme.call('GET', '/v1/deals')).json).toMatchObject({ meta: { total: 0 } })

    expect((await acme.call('POST', `${path}/run`)).status).toBe(200)
    await workOffImports(service.crm)
    expect(importOf(await acme.call('GET', path))).toMatchObject({
      state: 'done',
      counts,
      rows_with_problems: 1,
    })
    const deals = await acme.call('GET', '/v1/deals?order_by=name&order=asc')
    expect(deals.json).toMatchObject({
      data: [
        {
          name: 'Licences, yearly',
          amount: 123450,
          stage: { name: 'Won' },
          person: { full_name: 'Helena Dias' },
        },
        { name: 'Training', amount: 9800, stage: { name: 'Won' }, company: { full_name: 'Grupo Ipê' } },
      ],
    })
    const failed = await acme.call('GET', `${path}/failed-rows`)
    expect(failed.text).toContain(
      'Support,abc,open,,7003,Jonas Brandt,jonas@,Sebo Ltda,' +
        'Person - Email (jonas@): Is no e-mail address. Deal - Value (abc): Is no amount.',
    )

    expect((await acme.call('POST', `${path}/revert`)).status).toBe(200)
    await workOffImports(service.crm)
    expect(importOf(await acme.call('GET', path))).toMatchObject({
      state: 'reverted',
      reversal: { done: 5, records: 5, deleted: 6, restored: 0, kept: 0 },
    })
    for (const kind of ['deals', 'people', 'companies', 'tags'])
      expect((await acme.call('GET', `/v1/${kind}`)).json, kind).toMatchObject({ meta: { total: 0 } })
    expect((await acme.call('GET', `${path}/kept`)).json).toMatchObject({ data: [], meta: { total: 0 } })
    expect((await acme.call('GET', '/v1/imports')).json).toMatchObject({ data: [{ id }], meta: { total: 1 } })
    expect((await acme.call('DELETE', path)).status).toBe(204)
    expect((await acme.call('GET', path)).status).toBe(404)
  })
})

test('a part of a file is refused out of its order, and beyond the size', async () => {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  const { id } = importOf(await acme.call('POST', '/v1/imports', { name: 'a.csv', size: 10 }))
  const send = (offset: number | string, text: string) =>
    acme.call('PUT', `/v1/imports/${id}/file?offset=${offset}`, Buffer.from(text), BYTES)
  expect(errorOf(await send(4, 'Name'))).toMatchObject({
    code: 'conflict',
    fields: { offset: 'Must be 0, where the file goes on.' },
  })
  expect((await send(0, 'Name')).status).toBe(200)
  expect(errorOf(await send(0, 'Name'))).toMatchObject({
    fields: { offset: 'Must be 4, where the file goes on.' },
  })
  expect(errorOf(await send(4, '\n1234567'))).toMatchObject({
    fields: { size: 'The file has 10 bytes, and this part goes beyond them.' },
  })
  expect((await send('x', 'a')).status).toBe(422)
  expect(errorOf(await send(4, ''))).toMatchObject({
    code: 'bad_request',
    message: 'The body must have at least one byte of the file.',
  })
})

test.each([
  ['a PDF', '%PDF-1.7 …', 'not_text'],
  ['a header alone', 'Name,Email', 'empty'],
  ['a row with more cells than the header', 'Name,Email\nAna,a@x.example\nBob,b@x.example,7', 'extra_cells'],
  ['a NUL', 'Name\nA\0', 'nul_character'],
])('%s is no table', async (_, text, code) => {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  const { id, state, problem } = await uploadFile(acme, service, text)
  expect([state, problem]).toMatchObject(['unreadable', { code }])
  expect(errorOf(await acme.call('POST', `/v1/imports/${id}/run`))).toMatchObject({ code: 'conflict' })
})

test('each step is refused in a state that is not its own', async () => {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  const { id } = await uploadFile(acme, service, 'Name,Email\nAna,a@x.example\nBob,b@x.example', 'people.csv')
  const path = `/v1/imports/${id}`
  const step = async (name: string) => {
    const { status, json } = await acme.call('POST', `${path}/${name}`)
    return [status, status === 200 ? importOf({ json }).state : errorOf({ json })['fields']]
  }
  const notReady = (state: string, wanted: string) => [409, { state: `Is ${state}. Must be ${wanted}.` }]
  expect(await step('pause')).toEqual(notReady('ready', 'waiting or running'))
  expect(await step('resume')).toEqual(notReady('ready', 'paused'))
  expect(await step('cancel')).toEqual(notReady('ready', 'checking or waiting or running or paused'))
  expect(await step('revert')).toEqual(notReady('ready', 'done or cancelled'))
  expect(await step('check')).toEqual([200, 'checking'])
  expect(await step('cancel')).toEqual([200, 'ready'])
  expect(await step('run')).toEqual([200, 'waiting'])
  expect(await step('check')).toEqual(notReady('waiting', 'ready or checked'))
  expect((await acme.call('PATCH', path, { policy: 'keep' })).status).toBe(409)
  expect((await acme.call('DELETE', path)).status).toBe(409)
  expect(await step('pause')).toEqual([200, 'paused'])
  expect(await step('resume')).toEqual([200, 'waiting'])
  await workOffImports(service.crm)
  const decisions = [{ number: 0, decision: 'revert' }]
  expect((await acme.call('POST', `${path}/decisions`, { decisions })).status).toBe(409)
  const { data } = (await acme.call('GET', '/v1/people')).json as { readonly data: readonly { id: string }[] }
  service.advanceClock(1000)
  await acme.call('PATCH', `/v1/people/${data[0]!.id}`, { position: 'Chair' })
  expect(await step('revert')).toEqual([200, 'reverting'])
  await workOffImports(service.crm)
  expect((await acme.call('GET', `${path}/kept`)).json).toMatchObject({
    data: [{ number: 0, reason: 'changed' }],
  })
  const decided = await acme.call('POST', `${path}/decisions`, { decisions })
  expect(importOf(decided)).toMatchObject({ reversal: { deleted: 2, restored: 0, kept: 0 } })
  expect(errorOf(await acme.call('POST', `${path}/decisions`, { decisions }))).toMatchObject({
    fields: { 'decisions[0].number': 'Is decided already, or was not kept.' },
  })
})

test('an import is refused where nobody works in the background', async () => {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  const { id } = importOf(await acme.call('POST', '/v1/imports', { name: 'a.csv', size: 4 }))
  await acme.call('PUT', `/v1/imports/${id}/file?offset=0`, Buffer.from('Name'), BYTES)
  service.advanceClock(61_000)
  expect((await acme.call('POST', '/v1/imports', { name: 'b.csv', size: 4 })).status).toBe(409)
})

test('members import what they may create alone, and see their own imports', async () => {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  const other = await openWorkspace(service, 'Other')
  const { token } = await acme.addMember('ben', 'member')
  const owners = await uploadFile(acme, service, 'Name,Email\nAna,a@x.example', 'people.csv')
  expect((await acme.call('GET', `/v1/imports/${owners.id}`, undefined, { token })).status).toBe(404)
  expect((await other.call('GET', `/v1/imports/${owners.id}`)).status).toBe(404)
  expect((await acme.call('GET', '/v1/imports', undefined, { token })).json).toMatchObject({ data: [] })
  const asBen = {
    ...acme,
    call: ((method, path, body, more) =>
      acme.call(method, path, body, { token, ...more })) as typeof acme.call,
  }
  const text = `Name,Email,Owner,Segment\nEva,e@x.example,,A\nBob,b@x.example,${acme.owner.email},A`
  const { id } = await uploadFile(asBen, service, text, 'people.csv')
  const run = () => asBen.call('POST', `/v1/imports/${id}/run`)
  expect(errorOf(await run())).toMatchObject({
    code: 'forbidden',
    message: 'You do not have permission to create this custom field.',
  })
  const columns = [{ column: 3, target: null }]
  expect((await asBen.call('PATCH', `/v1/imports/${id}`, { columns })).status).toBe(200)
  expect(errorOf(await asBen.call('PATCH', `/v1/imports/${id}`, { keep_history: true }))).toMatchObject({
    code: 'forbidden',
    fields: { keep_history: 'Is for owners and admins.' },
  })
  expect((await run()).status).toBe(200)
  await workOffImports(service.crm)
  expect(importOf(await acme.call('GET', `/v1/imports/${id}`))).toMatchObject({
    state: 'done',
    counts: { people: { created: 1, updated: 0, unchanged: 0, left_out: 1 } },
  })
  const failed = await acme.call('GET', `/v1/imports/${id}/failed-rows`)
  expect(failed.text).toContain('A member may set only itself or nobody as the owner.')
  const readOnly = await acme.tokenFor(acme.owner.email, ['imports:write', 'people:read'])
  expect(
    errorOf(await acme.call('POST', `/v1/imports/${owners.id}/run`, undefined, { token: readOnly })),
  ).toMatchObject({
    code: 'insufficient_scope',
    message: "This endpoint requires the 'people:write' scope.",
  })
})
