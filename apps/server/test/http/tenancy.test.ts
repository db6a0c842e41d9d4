import { expect, test } from 'vitest'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

const NOWHERE = '00000000-0000-7000-8000-000000000000'

describeEachStore('an id in upper case', (open) => {
  test('is the same id to every operation', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const { id } = await acme.createRecord('/v1/people', { full_name: 'Ana' })
    const path = `/v1/people/${id.toUpperCase()}`
    expect((await acme.call('GET', path)).json).toMatchObject({ data: { id } })
    expect((await acme.call('PATCH', path, { score: 7 })).json).toMatchObject({ data: { id, score: 7 } })
    expect((await acme.call('DELETE', path)).status).toBe(204)
    expect((await acme.call('GET', `/v1/people/${id}`)).status).toBe(404)
  })
})

describeEachStore('another workspace', (open) => {
  async function two() {
    const service = await openService(await open())
    const [acme, rival] = [await openWorkspace(service, 'Acme'), await openWorkspace(service, 'Rival')]
    const pipeline = await rival.createRecord('/v1/pipelines', { name: 'Theirs', stages: [{ name: 'New' }] })
    const ids = {
      people: (await rival.createRecord('/v1/people', { full_name: 'Theirs' })).id,
      companies: (await rival.createRecord('/v1/companies', { full_name: 'Theirs' })).id,
      deals: (await rival.createRecord('/v1/deals', { name: 'Theirs' })).id,
      pipelines: pipeline.id,
      tasks: (await rival.createRecord('/v1/tasks', { title: 'Theirs' })).id,
      'task-types': (await rival.createRecord('/v1/task-types', { title: 'Theirs' })).id,
    }
    return { acme, rival, ids, stage: (pipeline['stages'] as [{ id: string }])[0].id }
  }

  test('has no records as far as a path can tell, and none is touched', async () => {
    const { acme, rival, ids } = await two()
    const change = {
      people: 'full_name',
      companies: 'full_name',
      deals: 'name',
      pipelines: 'name',
      tasks: 'title',
      'task-types': 'title',
    } as const
    for (const [kind, id] of Object.entries(ids) as [keyof typeof change, string][]) {
      const path = `/v1/${kind}/${id}`
      for (const [method, body] of [['GET'], ['PATCH', { [change[kind]]: 'Ours' }], ['DELETE']] as const) {
        const [foreign, unknown] = [
          await acme.call(method, path, body),
          await acme.call(method, `/v1/${kind}/${NOWHERE}`, body),
        ]
        expect([foreign.status, errorOf(foreign)]).toEqual([404, errorOf(unknown)])
      }
      expect((await rival.call('GET', path)).json).toMatchObject({ data: { [change[kind]]: 'Theirs' } })
    }
    for (const kind of ['people', 'companies', 'deals', 'pipelines', 'tasks']) {
      expect((await acme.call('GET', `/v1/${kind}`)).json).toMatchObject({ data: [], meta: { total: 0 } })
    }
  })

  test('has no records as far as a body can tell', async () => {
    const { acme, rival, ids, stage } = await two()
    await acme.createRecord('/v1/pipelines', { name: 'Ours', stages: [{ name: 'New' }] })
    const rows: [string, object, string, unknown, unknown, string][] = [
      ['/v1/tasks', { title: 'x' }, 'person_id', ids.people, NOWHERE, 'Person not found.'],
      ['/v1/tasks', { title: 'x' }, 'company_id', ids.companies, NOWHERE, 'Company not found.'],
      ['/v1/tasks', { title: 'x' }, 'deal_id', ids.deals, NOWHERE, 'Deal not found.'],
      ['/v1/tasks', { title: 'x' }, 'type', ids['task-types'], NOWHERE, 'Task type not found.'],
      ['/v1/tasks', { title: 'x' }, 'type', 'theirs', 'nothing', 'Task type not found.'],
      [
        '/v1/tasks',
        { title: 'x' },
        'owner_email',
        rival.owner.email,
        'nobody@x.example',
        'Member not found.',
      ],
      ['/v1/people', { full_name: 'x' }, 'owner_user_id', rival.owner.id, NOWHERE, 'Member not found.'],
      ['/v1/people', { full_name: 'x' }, 'company_id', ids.companies, NOWHERE, 'Company not found.'],
      ['/v1/deals', { name: 'x' }, 'pipeline_id', ids.pipelines, NOWHERE, 'Pipeline not found.'],
      ['/v1/deals', { name: 'x' }, 'stage_id', stage, NOWHERE, 'Stage not found in this pipeline.'],
    ]
    for (const [path, body, field, foreign, unknown, message] of rows) {
      for (const value of [foreign, unknown]) {
        const answer = await acme.call('POST', path, { ...body, [field]: value })
        expect([answer.status, errorOf(answer)['fields']]).toEqual([422, { [field]: message }])
      }
    }
  })

  test('is found by no filter', async () => {
    const { acme, rival, ids } = await two()
    const own = await acme.createRecord('/v1/tasks', { title: 'Ours' })
    const filters = [
      `person_id=${ids.people}`,
      `deal_id=${ids.deals}`,
      `owner_email=${rival.owner.email}`,
      `company_id=${NOWHERE}`,
    ]
    for (const filter of filters)
      expect((await acme.call('GET', `/v1/tasks?${filter}`)).json).toMatchObject({
        data: [],
        meta: { total: 0 },
      })
    expect((await acme.call('GET', '/v1/tasks')).json).toMatchObject({ data: [{ id: own.id }] })
  })

  test('and this one each show a token its own workspace and members', async () => {
    const { acme, rival } = await two()
    for (const { call, slug, owner } of [acme, rival]) {
      expect((await call('GET', '/v1/workspace')).json).toMatchObject({ data: { slug } })
      expect((await call('GET', '/v1/members')).json).toEqual({
        data: [{ id: owner.id, name: 'Olga', email: owner.email, role: 'owner' }],
        meta: { total: 1, page: 1, per_page: 50, has_more: false },
      })
    }
  })
})
