import { SCOPES } from '@sales-crm/core'
import { expect, test } from 'vitest'
import {
  createRecordMaker,
  dataOf,
  listPath,
  RECORD_KIND_CASES,
  UNKNOWN_ID,
} from '../support/record-kind-cases.ts'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

const NO_FIELD = /^Unknown field\./

describeEachStore('data of another workspace', (open) => {
  async function openTwoWorkspaces() {
    const service = await openService(await open())
    const [acme, rival] = [await openWorkspace(service, 'Acme'), await openWorkspace(service, 'Rival')]
    const ids: Record<string, string> = {}
    const createTheirs = await createRecordMaker(rival)
    for (const kind of RECORD_KIND_CASES) ids[kind.name] = await createTheirs(kind)
    await rival.createRecord('/v1/custom-fields', {
      label: 'Theirs',
      key: 'secret',
      type: 'text',
      show_deals: true,
    })
    await rival.createRecord('/v1/activities', {
      content_html: 'Theirs',
      entity: 'people',
      entity_id: ids['people'],
    })
    const createOurs = await createRecordMaker(acme)
    return { acme, rival, ids, createOurs }
  }

  test('is not found by ids or keys in request bodies, on create or update', async () => {
    const { acme, rival, ids, createOurs } = await openTwoWorkspaces()
    const rows: readonly (readonly [string, (id: string) => object, string, readonly string[], string])[] = [
      ...['people', 'companies', 'deals'].flatMap((kind) => [
        [
          kind,
          (tag: string) => ({ tags: [tag] }),
          'tags[0]',
          [ids['tags']!, 'theirs', 'THEIRS', UNKNOWN_ID],
          'Tag not found.',
        ] as const,
        [
          kind,
          (list: string) => ({ lists: [list] }),
          'lists[0]',
          [ids['lists']!, UNKNOWN_ID],
          'List not found.',
        ] as const,
        [kind, secret, 'custom_fields.secret', ['x'], 'Custom field not found.'] as const,
        [
          kind,
          (id: string) => ({ owner_user_id: id }),
          'owner_user_id',
          [rival.owner.id, UNKNOWN_ID],
          'Member not found.',
        ] as const,
      ]),
      ['people', (deal) => ({ deals: [deal] }), 'deals[0]', [ids['deals']!, UNKNOWN_ID], 'Deal not found.'],
      [
        'people',
        (id) => ({ company_id: id }),
        'company_id',
        [ids['companies']!, UNKNOWN_ID],
        'Company not found.',
      ],
      [
        'companies',
        (deal) => ({ deals: [deal] }),
        'deals[0]',
        [ids['deals']!, UNKNOWN_ID],
        'Deal not found.',
      ],
      ['deals', (id) => ({ person_id: id }), 'person_id', [ids['people']!, UNKNOWN_ID], 'Person not found.'],
      [
        'deals',
        (id) => ({ company_id: id }),
        'company_id',
        [ids['companies']!, UNKNOWN_ID],
        'Company not found.',
      ],
      [
        'deals',
        (id) => ({ pipeline_id: id }),
        'pipeline_id',
        [ids['pipelines']!, UNKNOWN_ID],
        'Pipeline not found.',
      ],
      [
        'tasks',
        (id) => ({ type: id }),
        'type',
        [ids['task-types']!, 'theirs', UNKNOWN_ID],
        'Task type not found.',
      ],
      ['tasks', (id) => ({ deal_id: id }), 'deal_id', [ids['deals']!, UNKNOWN_ID], 'Deal not found.'],
      [
        'activities',
        entity('people'),
        'entity_id',
        [ids['people']!, ids['deals']!, UNKNOWN_ID],
        'Person not found.',
      ],
      ['activities', entity('companies'), 'entity_id', [ids['companies']!, UNKNOWN_ID], 'Company not found.'],
      [
        'activities',
        entity('deals'),
        'entity_id',
        [ids['deals']!, ids['people']!, UNKNOWN_ID],
        'Deal not found.',
      ],
    ]
    for (const [name, bodyOf, field, values, message] of rows) {
      const kind = RECORD_KIND_CASES.find((each) => each.name === name)!
      const path = `/v1/${name}/${await createOurs(kind)}`
      const before = (await acme.call('GET', path)).text
      for (const value of values) {
        for (const response of [
          await acme.call('POST', `/v1/${name}`, { ...kind.body(0, acme.owner.id), ...bodyOf(value) }),
          await acme.call('PATCH', path, { ...kind.change, ...bodyOf(value) }),
        ])
          expect([name, response.status, errorOf(response)['fields']]).toEqual([
            name,
            422,
            { [field]: message },
          ])
      }
      expect((await acme.call('GET', path)).text).toBe(before)
    }
    expect(dataOf(await rival.call('GET', `/v1/deals/${ids['deals']}`))).toMatchObject({
      person: null,
      company: null,
      tags: [],
      lists: [],
    })
    expect(dataOf(await rival.call('GET', `/v1/lists/${ids['lists']}`))).toMatchObject({ records_count: 0 })
  })

  test('is not found by filters or by the activities of an entity', async () => {
    const { acme, rival, ids, createOurs } = await openTwoWorkspaces()
    for (const kind of RECORD_KIND_CASES) await createOurs(kind)
    const labels = { tags: [ids['tags']], lists: [ids['lists']], company_id: ids['companies'] }
    await rival.call('PATCH', `/v1/people/${ids['people']}`, labels)
    const paths = [
      ...['people', 'companies'].flatMap((kind) => [
        `${kind}?tag=${ids['tags']}`,
        `${kind}?tag=nothing`,
        `${kind}?list_id=${ids['lists']}`,
      ]),
      `people?company_id=${ids['companies']}`,
      `people?owner_email=${rival.owner.email}`,
      `deals?pipeline_id=${ids['pipelines']}`,
      `deals?person_id=${ids['people']}`,
      `deals?company_id=${ids['companies']}`,
      ...['people', 'companies', 'deals'].map((entity) => `activities?entity=${entity}&id=${ids[entity]}`),
      `activities?entity=deals&id=${ids['people']}`,
    ]
    for (const path of paths) {
      const { status, json } = await acme.call('GET', `/v1/${path}`)
      expect([path, status, json]).toEqual([
        path,
        200,
        { data: [], meta: { total: 0, page: 1, per_page: 50, has_more: false } },
      ])
    }
    const theirs = await rival.call('GET', `/v1/activities?entity=people&id=${ids['people']}`)
    expect(theirs.json).toMatchObject({ data: [{ content_html: 'Theirs' }], meta: { total: 1 } })
    expect((await rival.call('GET', `/v1/people?tag=theirs&list_id=${ids['lists']}`)).json).toMatchObject({
      meta: { total: 1 },
    })
  })

  test('does not restrict keys and codes here: both workspaces may use the same', async () => {
    const service = await openService(await open())
    const workspaces = [await openWorkspace(service, 'Acme'), await openWorkspace(service, 'Rival')]
    for (const { createRecord } of workspaces) {
      expect(await createRecord('/v1/tags', { name: 'Hot' })).toMatchObject({ key: 'hot' })
      await createRecord('/v1/custom-fields', { label: 'Size', key: 'size', type: 'text' })
      await createRecord('/v1/products', { name: 'Chair', currency: 'BRL', code: 'C-1' })
      expect(
        await createRecord('/v1/people', {
          full_name: 'Ana',
          tags: ['hot'],
          custom_fields: [{ key: 'size', value: 'L' }],
        }),
      ).toMatchObject({
        tags: [{ key: 'hot' }],
        custom_fields: [{ key: 'size', value: 'L' }],
      })
    }
    for (const { call } of workspaces)
      expect((await call('GET', '/v1/people?tag=HOT')).json).toMatchObject({ meta: { total: 1 } })
  })
})

describeEachStore('a caller', (open) => {
  test('cannot set fields that only the service sets, for any kind', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const createRecord = await createRecordMaker(acme)
    // With the other one, owners set when a record was created and closed.
    const scopes = SCOPES.filter((scope) => scope !== 'imports:manage')
    const token = await acme.tokenFor(acme.owner.email, scopes)
    const fields = [
      'id',
      'workspace_id',
      'created_at',
      'updated_at',
      'deleted_at',
      'total',
      'tag_ids',
      'list_ids',
    ]
    const internalFields = [
      'custom_values',
      'search_terms',
      'image_key',
      'image_url',
      'attachments_count',
      'records_count',
      'closed_at',
    ]
    for (const kind of RECORD_KIND_CASES) {
      const path = `/v1/${kind.name}`
      const id = await createRecord(kind)
      const before = [await acme.call('GET', `${path}/${id}`), await acme.call('GET', listPath(kind))].map(
        ({ text }) => text,
      )
      for (const field of [
        ...fields,
        ...internalFields,
        ...(kind.name === 'activities' ? [] : ['entity_id']),
        ...(kind.name === 'targets' ? [] : ['owner_id']),
      ]) {
        for (const response of [
          await acme.call('POST', path, { ...kind.body(0, acme.owner.id), [field]: UNKNOWN_ID }, { token }),
          await acme.call('PATCH', `${path}/${id}`, { ...kind.change, [field]: UNKNOWN_ID }),
        ])
          expect([kind.name, response.status, errorOf(response)['fields']]).toEqual([
            kind.name,
            422,
            { [field]: expect.stringMatching(NO_FIELD) },
          ])
        const onlyUnknown = await acme.call('PATCH', `${path}/${id}`, { [field]: UNKNOWN_ID })
        expect([onlyUnknown.status, errorOf(onlyUnknown)['message']]).toEqual([
          400,
          'No fields provided for update.',
        ])
      }
      const after = [await acme.call('GET', `${path}/${id}`), await acme.call('GET', listPath(kind))].map(
        ({ text }) => text,
      )
      expect(after).toEqual(before)
    }
  })
})

function secret(value: string): object {
  return { custom_fields: [{ key: 'secret', value }] }
}

function entity(kind: string): (id: string) => object {
  return (entity_id) => ({ entity: kind, entity_id })
}
