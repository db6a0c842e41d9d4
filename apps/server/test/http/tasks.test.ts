import { expect, test } from 'vitest'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

describeEachStore('a task over HTTP', (open) => {
  test('is created, read, completed, listed and deleted with its references', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const company = await acme.createRecord('/v1/companies', {
      full_name: 'Ferro e Aço',
      phones: [{ phone: '+55 11 4000-1234', type: 'work' }],
    })
    const person = await acme.createRecord('/v1/people', {
      full_name: 'Ana Prado',
      emails: [{ email: 'ana@ferro.example' }],
      score: 80,
      position: 'CFO',
    })
    const pipeline = await acme.createRecord('/v1/pipelines', {
      name: 'Sales',
      stages: [{ name: 'New' }, { name: 'Won', type: 'win' }],
    })
    const deal = await acme.createRecord('/v1/deals', {
      name: 'Steel, 40 t',
      amount: 123456,
      currency: 'BRL',
      person_id: person.id,
    })

    const createResponse = await acme.call('POST', '/v1/tasks', {
      title: '  Call Ana  ',
      due_date: '2026-03-05T09:30:00-03:00',
      notes: 'Ask about\nthe invoice',
      type: 'call',
      person_id: person.id,
      company_id: company.id,
      deal_id: deal.id,
      owner_email: acme.owner.email,
      priority: 'high',
    })
    expect(createResponse.status).toBe(201)
    const [stage] = pipeline['stages'] as { id: string }[]
    const { data: task } = createResponse.json as { data: { id: string } }
    expect(task).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      title: 'Call Ana',
      due_date: '2026-03-05T12:30:00.000Z',
      notes: 'Ask about\nthe invoice',
      type: expect.objectContaining({ key: 'call', title: 'Call', color: '#6b7280' }),
      person: {
        id: person.id,
        full_name: 'Ana Prado',
        emails: [{ email: 'ana@ferro.example', type: 'work' }],
        phones: [],
        score: 80,
        position: 'CFO',
        created_at: '2026-03-01T12:00:00.000Z',
        updated_at: '2026-03-01T12:00:00.000Z',
      },
      company: {
        id: company.id,
        full_name: 'Ferro e Aço',
        emails: [],
        phones: [{ phone: '+55 11 4000-1234', type: 'work' }],
        created_at: '2026-03-01T12:00:00.000Z',
        updated_at: '2026-03-01T12:00:00.000Z',
      },
      deal: {
        id: deal.id,
        name: 'Steel, 40 t',
        amount: 123456,
        currency: 'BRL',
        formatted_amount: 'R$1,234.56',
        pipeline: { id: pipeline.id, name: 'Sales' },
        stage: { id: stage?.id, name: 'New', type: 'open' },
        source: null,
        forecast_date: null,
        created_at: '2026-03-01T12:00:00.000Z',
        updated_at: '2026-03-01T12:00:00.000Z',
      },
      owner: { id: acme.owner.id, name: 'Olga', email: acme.owner.email },
      priority: 'high',
      completed: false,
      external_ids: [],
      shared_with: [],
      remind_at: null,
      created_at: '2026-03-01T12:00:00.000Z',
      updated_at: '2026-03-01T12:00:00.000Z',
    })

    const path = `/v1/tasks/${task.id}`
    expect((await acme.call('GET', path)).json).toEqual({ data: task })
    const completed = await acme.call('PATCH', path, { completed: true })
    expect([completed.status, completed.json]).toEqual([200, { data: { ...task, completed: true } }])
    const listResponse = await acme.call(
      'GET',
      '/v1/tasks?include=external_ids&completed=true&order_by=due_date',
    )
    const { shared_with, remind_at, ...item } = task as {
      id: string
      shared_with?: unknown
      remind_at?: unknown
    }
    expect(listResponse.json).toEqual({
      data: [{ ...item, completed: true }],
      meta: { total: 1, page: 1, per_page: 50, has_more: false },
    })

    const deleteResponse = await acme.call('DELETE', path)
    expect([deleteResponse.status, deleteResponse.text, deleteResponse.headers.get('content-type')]).toEqual([
      204,
      '',
      null,
    ])
    const notFound = await acme.call('GET', path)
    expect([notFound.status, errorOf(notFound)]).toEqual([
      404,
      { code: 'not_found', message: 'Task not found.' },
    ])
    expect((await acme.call('DELETE', path)).status).toBe(404)
    expect((await acme.call('GET', '/v1/tasks')).json).toEqual({
      data: [],
      meta: { total: 0, page: 1, per_page: 50, has_more: false },
    })
  })

  test('is cleared by null, and has null for unset references', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const { id } = await acme.createRecord('/v1/tasks', {
      title: 'Call',
      notes: 'n',
      priority: 'low',
      owner_email: acme.owner.email,
    })
    const patchResponse = await acme.call('PATCH', `/v1/tasks/${id}`, {
      notes: null,
      priority: null,
      owner_email: null,
    })
    expect((patchResponse.json as { data: object }).data).toMatchObject({
      title: 'Call',
      notes: null,
      priority: null,
      owner: null,
      due_date: null,
      type: null,
      person: null,
      company: null,
      deal: null,
    })
  })
})
