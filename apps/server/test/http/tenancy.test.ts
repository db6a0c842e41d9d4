import { expect, test } from 'vitest'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000'

describeEachStore('an id in upper case', (open) => {
  test('is accepted by every operation', async () => {
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
  async function openTwoWorkspaces() {
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

  test('has records that no path finds or changes', async () => {
    const { acme, rival, ids } = await openTwoWorkspaces()
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
          await acme.call(method, `/v1/${kind}/${UNKNOWN_ID}`, body),
        ]
        expect([foreign.status, errorOf(foreign)]).toEqual([404, errorOf(unknown)])
      }
      expect((await rival.call('GET', path)).json).toMatchObject({ data: { [change[kind]]: 'Theirs' } })
    }
    for (const kind of ['people', 'companies', 'deals', 'pipelines', 'tasks']) {
      expect((await acme.call('GET', `/v1/${kind}`)).json).toMatchObject({ data: [], meta: { total: 0 } })
    }
  })

  test('has records that no request body can reference', async () => {
    const { acme, rival, ids, stage } = await openTwoWorkspaces()
    await acme.createRecord('/v1/pipelines', { name: 'Ours', stages: [{ name: 'New' }] })
    const rows: [string, object, string, unknown, unknown, string][] = [
      ['/v1/tasks', { title: 'x' }, 'person_id', ids.people, UNKNOWN_ID, 'Person not found.'],
      ['/v1/tasks', { title: 'x' }, 'company_id', ids.companies, UNKNOWN_ID, 'Company not found.'],
      ['/v1/tasks', { title: 'x' }, 'deal_id', ids.deals, UNKNOWN_ID, 'Deal not found.'],
      ['/v1/tasks', { title: 'x' }, 'type', ids['task-types'], UNKNOWN_ID, 'Task type not found.'],
      ['/v1/tasks', { title: 'x' }, 'type', 'theirs', 'nothing', 'Task type not found.'],
      [
        '/v1/tasks',
        { title: 'x' },
        'owner_email',
        rival.owner.email,
        'nobody@x.example',
        'Member not found.',
      ],
      ['/v1/people', { full_name: 'x' }, 'owner_user_id', rival.owner.id, UNKNOWN_ID, 'Member not found.'],
      ['/v1/people', { full_name: 'x' }, 'company_id', ids.companies, UNKNOWN_ID, 'Company not found.'],
      ['/v1/deals', { name: 'x' }, 'pipeline_id', ids.pipelines, UNKNOWN_ID, 'Pipeline not found.'],
      ['/v1/deals', { name: 'x' }, 'stage_id', stage, UNKNOWN_ID, 'Stage not found in this pipeline.'],
    ]
    for (const [path, body, field, foreign, unknown, message] of rows) {
      for (const value of [foreign, unknown]) {
        const response = await acme.call('POST', path, { ...body, [field]: value })
        expect([response.status, errorOf(response)['fields']]).toEqual([422, { [field]: message }])
      }
    }
  })

  test('has records that no filter finds', async () => {
    const { acme, rival, ids } = await openTwoWorkspaces()
    const task = await acme.createRecord('/v1/tasks', { title: 'Ours' })
    const filters = [
      `person_id=${ids.people}`,
      `deal_id=${ids.deals}`,
      `owner_email=${rival.owner.email}`,
      `company_id=${UNKNOWN_ID}`,
    ]
    for (const filter of filters)
      expect((await acme.call('GET', `/v1/tasks?${filter}`)).json).toMatchObject({
        data: [],
        meta: { total: 0 },
      })
    expect((await acme.call('GET', '/v1/tasks')).json).toMatchObject({ data: [{ id: task.id }] })
  })

  test('has its own workspace and members for its tokens', async () => {
    const { acme, rival } = await openTwoWorkspaces()
    for (const { call, slug, owner } of [acme, rival]) {
      expect((await call('GET', '/v1/workspace')).json).toMatchObject({ data: { slug } })
      expect((await call('GET', '/v1/members')).json).toEqual({
        data: [{ id: owner.id, name: 'Olga', email: owner.email, role: 'owner' }],
        meta: { total: 1, page: 1, per_page: 50, has_more: false },
      })
    }
  })
})
