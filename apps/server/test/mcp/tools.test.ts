import { expect, test } from 'vitest'
import { createdIds, createToolCaller, resultsOf, type ToolResponse } from '../support/mcp-requests.ts'
import { describeEachStore } from '../support/stores.ts'
import { openService, openWorkspace } from '../support/test-service.ts'

const NOON = '2026-03-01T12:00:00.000Z'

describeEachStore('MCP tools', (open) => {
  async function openTestService() {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const tool = createToolCaller(service.app, acme.token)
    const createRecords = async (entity: string, ...records: object[]) =>
      createdIds(await tool('create_records', { entity, records }))
    const sales = {
      name: 'Sales',
      stages: [{ name: 'New' }, { name: 'Won', type: 'win' }, { name: 'Lost', type: 'lost' }],
    }
    return { ...service, acme, tool, createRecords, sales }
  }

  test('get_context returns the workspace, user, scopes, pipelines and members', async () => {
    const { acme, tool, createRecords, sales } = await openTestService()
    await createRecords('pipelines', sales)
    const { result } = await tool('get_context')
    expect(result).toMatchObject({
      workspace: { id: acme.id, name: 'Acme', currency: 'USD', locale: 'en-US' },
      user: { id: acme.owner.id, role: 'owner' },
      scopes: expect.arrayContaining(['people:read', 'deals:write']),
      pipelines: [
        {
          name: 'Sales',
          stages: [{ name: 'New', type: 'open', probability: 50 }, { name: 'Won' }, { name: 'Lost' }],
        },
      ],
      members: [{ name: 'Olga', email: acme.owner.email, role: 'owner' }],
      left_out: [],
      limits: { records_in_a_write: 25 },
    })
    expect((result['task_types'] as { key: string }[]).map(({ key }) => key).sort()).toEqual([
      'call',
      'email',
      'meeting',
      'task',
    ])
  })

  test('create, search, read, update, list and delete records', async () => {
    const { tool, createRecords } = await openTestService()
    const [ana, ben] = await createRecords(
      'people',
      { full_name: 'Ana Conceição', emails: [{ email: 'ana@x.example' }] },
      { full_name: 'Ben' },
    )
    const found = await tool('search', { query: 'concei' })
    expect(found.result).toMatchObject({
      people: {
        total: 1,
        records: [{ id: ana, full_name: 'Ana Conceição', emails: [{ email: 'ana@x.example' }], owner: null }],
      },
      companies: { total: 0, records: [] },
    })
    const updated = await tool('update_records', {
      entity: 'people',
      updates: [{ id: ana, score: 80, position: 'CEO' }],
    })
    expect(updated.result).toEqual({ succeeded: 1, failed: 0, results: [{ ok: true, id: ana }] })
    const [record] = resultsOf(await tool('get_records', { entity: 'people', ids: [ana] }))
    expect(record).toMatchObject({
      ok: true,
      id: ana,
      record: { score: 80, position: 'CEO', tags: [], lists: [], company: null },
    })
    const list = await tool('list_records', {
      entity: 'people',
      order_by: 'full_name',
      order: 'asc',
      per_page: 1,
    })
    expect(list.result).toMatchObject({
      data: [{ id: ana }],
      meta: { total: 2, page: 1, per_page: 1, has_more: true },
    })
    const filtered = await tool('list_records', { entity: 'people', filter: { search: 'ben' } })
    expect(filtered.result).toMatchObject({ data: [{ id: ben }], meta: { total: 1, per_page: 20 } })
    const deletion = await tool('delete_records', { entity: 'people', ids: [ana, ana] })
    expect([deletion.isError, deletion.result]).toEqual([
      false,
      {
        succeeded: 1,
        failed: 1,
        results: [
          { ok: true, id: ana },
          { ok: false, id: ana, error: { code: 'not_found', message: 'Person not found.' } },
        ],
      },
    ])
  })

  test('create the valid records of a call and report the errors of the others', async () => {
    const { tool, acme } = await openTestService()
    const response = await tool('create_records', {
      entity: 'people',
      records: [
        { full_name: 'Ana' },
        { full_nam: 'Ben' },
        { full_name: 'Cid', owner_email: 'nobody@x.example', tags: ['vip'] },
      ],
    })
    const [created, ...rejected] = resultsOf(response)
    expect([response.isError, response.result['succeeded'], response.result['failed'], created]).toEqual([
      false,
      1,
      2,
      { ok: true, id: expect.any(String) },
    ])
    const valid =
      'full_name, emails, phones, position, score, avatar_url, owner_user_id, owner_email, company_id, companies, custom_fields, tags, lists, deals, external_ids'
    expect(rejected.map(({ error }) => error!.fields)).toEqual([
      { full_nam: `Unknown field. Did you mean "full_name"? Valid: ${valid}.`, full_name: 'Required.' },
      {
        owner_email: `Member not found. Valid: ${acme.owner.email}.`,
        'tags[0]': 'Tag not found. There is none.',
      },
    ])
    expect((await acme.call('GET', '/v1/people')).json).toMatchObject({ meta: { total: 1 } })
  })

  test('create nothing twice for a repeated idempotency key', async () => {
    const { tool, acme } = await openTestService()
    const call = { entity: 'deals', records: [{ name: 'One' }, { name: 'Two' }], idempotency_key: 'k' }
    expect((await tool('create_records', call)).isError).toBe(true)
    await tool('create_records', {
      entity: 'pipelines',
      records: [{ name: 'Sales', stages: [{ name: 'New' }] }],
    })
    const [first, second] = [await tool('create_records', call), await tool('create_records', call)]
    expect(createdIds(second)).toEqual(createdIds(first))
    expect(resultsOf(second).map(({ replayed }) => replayed)).toEqual([true, true])
    const other = await tool('create_records', { ...call, records: [{ name: 'Three' }] })
    expect(resultsOf(other)).toMatchObject([
      { ok: false, error: { code: 'idempotency_conflict', fields: { idempotency_key: expect.any(String) } } },
    ])
    expect((await acme.call('GET', '/v1/deals')).json).toMatchObject({ meta: { total: 2 } })
  })

  test('upsert a record, and name the record that holds a value', async () => {
    const { tool, createRecords } = await openTestService()
    const external_id = { source: 'erp', id: '7' }
    const upsert = async (full_name: string) =>
      resultsOf(
        await tool('upsert_records', {
          entity: 'people',
          records: [{ match: { external_id }, record: { full_name } }],
        }),
      )
    const [created] = await upsert('Ana')
    expect(created).toEqual({ ok: true, id: expect.any(String), created: true })
    expect(await upsert('Ana Conceição')).toEqual([{ ...created, created: false }])
    const [ben] = await createRecords('people', { full_name: 'Ben' })
    const second = { full_name: 'Second', external_ids: [external_id] }
    const refused = await tool('create_records', { entity: 'people', records: [second] })
    expect(resultsOf(refused)).toMatchObject([
      { ok: false, error: { code: 'conflict', existing_ids: [created!.id] } },
    ])
    const updates = [{ id: ben, external_ids: [external_id] }]
    expect(resultsOf(await tool('update_records', { entity: 'people', updates }))).toMatchObject([
      { ok: false, id: ben, error: { code: 'conflict', existing_ids: [created!.id] } },
    ])
  })

  test('move a deal by stage name', async () => {
    const { tool, createRecords, sales } = await openTestService()
    await createRecords('pipelines', sales)
    const [deal] = await createRecords('deals', { name: 'Big', amount: 100 })
    await createRecords('pipelines', {
      name: 'Renewals',
      stages: [{ name: 'New' }, { name: 'Signed', type: 'win' }],
    })
    const won = await tool('move_deal', { id: deal, stage: ' won ' })
    expect(won.result).toMatchObject({
      id: deal,
      name: 'Big',
      from: { pipeline: { name: 'Sales' }, stage: { name: 'New', type: 'open' } },
      to: { pipeline: { name: 'Sales' }, stage: { name: 'Won', type: 'win' } },
      closed_at: NOON,
    })
    const otherPipeline = await tool('move_deal', { id: deal, stage: 'New', pipeline: 'renewals' })
    expect(otherPipeline.result).toMatchObject({
      to: { pipeline: { name: 'Renewals' }, stage: { name: 'New' } },
      closed_at: null,
    })
    const stage_id = (won.result['to'] as { stage: { id: string } }).stage.id
    expect((await tool('move_deal', { id: deal, stage_id, pipeline: 'Sales' })).result).toMatchObject({
      to: { stage: { name: 'Won' } },
    })
  })

  test('list records with short forms of embedded records', async () => {
    const { tool, createRecords, acme } = await openTestService()
    const [ana] = await createRecords('people', { full_name: 'Ana', emails: [{ email: 'ana@a.example' }] })
    await createRecords('tasks', {
      title: 'Write',
      type: 'email',
      person_id: ana,
      owner_email: acme.owner.email,
    })
    const [task] = (await tool('list_records', { entity: 'tasks' })).result['data'] as Record<
      string,
      unknown
    >[]
    expect(task).toMatchObject({ title: 'Write', priority: 'medium', company: null, created_at: NOON })
    expect(task!['person']).toEqual({ id: ana, full_name: 'Ana' })
    expect(task!['type']).toEqual({ id: expect.any(String), key: 'email', title: expect.any(String) })
    expect(task!['owner']).toEqual({ id: acme.owner.id, name: 'Olga', email: acme.owner.email })
  })

  test('log activities and manage tasks', async () => {
    const { tool, createRecords, acme } = await openTestService()
    const [ana] = await createRecords('people', { full_name: 'Ana' })
    const activity = {
      entity: 'people',
      entity_id: ana,
      content_html: '<p>Called</p><script>x</script>',
      owner_email: acme.owner.email,
    }
    const logged = await tool('log_activity', activity)
    expect(logged.result).toEqual({
      id: expect.any(String),
      entity: 'people',
      entity_id: ana,
      created_at: NOON,
    })
    const filter = { entity: 'activities', filter: { entity: 'people', entity_id: ana } }
    expect((await tool('list_records', filter)).result).toMatchObject({
      data: [{ content_html: '<p>Called</p>', owner: { name: 'Olga' } }],
    })

    const created = await tool('manage_task', {
      action: 'create',
      fields: { title: 'Write', type: 'email', person_id: ana },
    })
    const { id } = created.result['task'] as { id: string }
    expect(created.result).toMatchObject({
      task: { title: 'Write', type: { key: 'email' }, person: { id: ana }, completed: false },
    })
    const act = async (action: string, fields?: object) =>
      (await tool('manage_task', { action, id, fields })).result
    expect(await act('update', { priority: 'high', person_id: null })).toMatchObject({
      task: { priority: 'high', person: null },
    })
    expect(await act('complete')).toMatchObject({ task: { completed: true } })
    expect(await act('reopen')).toMatchObject({ task: { completed: false } })
    expect(await act('delete')).toEqual({ id, deleted: true })
    expect((await tool('manage_task', { action: 'complete', id })).text).toBe('Task not found.')
  })

  test('add and remove tags and lists and keep the others', async () => {
    const { tool, createRecords } = await openTestService()
    const [vip] = await createRecords('tags', { name: 'VIP' }, { name: 'Old' })
    const [list] = await createRecords('lists', { name: 'Newsletter' })
    const [ana, ben] = await createRecords(
      'companies',
      { full_name: 'A', tags: ['old'], lists: [list] },
      { full_name: 'B' },
    )
    const change = (more: object): Promise<ToolResponse> =>
      tool('change_memberships', { entity: 'companies', ids: [ana, ben], ...more })
    expect((await change({ add_tags: ['vip'], add_lists: [list] })).result).toMatchObject({ succeeded: 2 })
    const memberships = async () => {
      const records = resultsOf(await tool('get_records', { entity: 'companies', ids: [ana, ben] })).map(
        ({ record }) => record,
      )
      return (records as { tags: { key: string }[]; lists: object[] }[]).map(({ tags, lists }) => [
        tags.map(({ key }) => key),
        lists.length,
      ])
    }
    expect(await memberships()).toEqual([
      [['old', 'vip'], 1],
      [['vip'], 1],
    ])
    expect((await change({ remove_tags: ['OLD', vip, 'nothing'], remove_lists: [list] })).isError).toBe(false)
    expect(await memberships()).toEqual([
      [[], 0],
      [[], 0],
    ])
    await change({ add_tags: ['vip'] })
    const unknown = await tool('change_memberships', {
      entity: 'companies',
      ids: [ana],
      add_tags: ['old', 'vup'],
    })
    expect([unknown.isError, resultsOf(unknown)[0]!.error!.fields!['add_tags[1]']]).toEqual([
      true,
      expect.stringMatching(/^Tag not found\. Valid: (vip, old|old, vip)\.$/),
    ])
    expect(await memberships()).toEqual([
      [['vip'], 0],
      [['vip'], 0],
    ])
  })

  test('return timelines, aggregates and pipeline reports', async () => {
    const { tool, createRecords, sales } = await openTestService()
    await createRecords('pipelines', sales)
    const [ana] = await createRecords('people', { full_name: 'Ana' })
    const [deal] = await createRecords(
      'deals',
      { name: 'Big', amount: 300, currency: 'EUR', person_id: ana },
      { name: 'Small', amount: 50 },
    )
    await tool('log_activity', { entity: 'people', entity_id: ana, content_html: 'Called' })
    await tool('move_deal', { id: deal, stage: 'Won' })
    const timeline = await tool('get_timeline', { entity: 'people', id: ana, limit: 10 })
    expect((timeline.result['data'] as { kind: string }[]).map(({ kind }) => kind).sort()).toEqual([
      'activity',
      'deal',
      'stage_move',
    ])
    const sums = await tool('aggregate', {
      entity: 'deals',
      metric: 'sum',
      field: 'amount',
      group_by: 'status',
    })
    const groups = sums.result['groups'] as { key: string; currency: string; value: number }[]
    expect(groups.map(({ key, currency, value }) => [key, currency, value])).toEqual([
      ['win', 'EUR', 300],
      ['open', 'USD', 50],
    ])
    const report = await tool('pipeline_report')
    expect(report.result).toMatchObject({
      pipeline: { name: 'Sales' },
      open: { count: 1 },
      won: { count: 1 },
      win_rate: 1,
    })
  })
})
