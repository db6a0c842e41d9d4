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
      reversal: { deleted: 6, restored: 0, kept: 0 },
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
