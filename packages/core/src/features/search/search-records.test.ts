import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm } from '../../../test/harness.ts'
import { reportResponses } from '../../declarations.ts'

async function withRecords() {
  const acme = await createTestCrm()
  const { crm, owner, otherOwner, clock } = acme
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  await crm.people.create(owner, { full_name: 'Ana Roofer' })
  clock.advance(60)
  await crm.people.create(owner, { full_name: 'Bob Rooftop' })
  await crm.companies.create(owner, { full_name: 'Roof & Sons' })
  await crm.deals.create(owner, { name: 'New roof' })
  await crm.products.create(owner, { name: 'Roof tile', currency: 'USD' })
  await crm.people.create(otherOwner, { full_name: 'Roof of others' })
  await crm.tasks.create(owner, { title: 'Call', notes: 'About the roof' })
  await crm.tasks.create(otherOwner, { title: 'Roof of others' })
  await crm.activities.create(owner, { content_html: '<p>The <b>roof</b> leaks</p>' })
  return acme
}

describe('a search', () => {
  test('returns the newest matches of each kind', async () => {
    const { crm, owner } = await withRecords()
    const results = await crm.searchRecords(owner, { search: 'roof', limit: 1 })
    expect(results).toMatchObject({
      people: { total: 2, records: [{ full_name: 'Bob Rooftop' }] },
      companies: { total: 1, records: [{ full_name: 'Roof & Sons' }] },
      deals: { total: 1, records: [{ name: 'New roof' }] },
      products: { total: 1, records: [{ name: 'Roof tile' }] },
    })
    expect(v.is(reportResponses.search, JSON.parse(JSON.stringify(results)))).toBe(true)
  })

  test('searches the requested kinds, and by default those that the actor may read', async () => {
    const { crm, owner } = await withRecords()
    const search = 'roof'
    expect(Object.keys(await crm.searchRecords(owner, { search, kinds: 'deals,people' }))).toEqual([
      'people',
      'deals',
    ])
    const reader = { ...owner, scopes: new Set(['deals:read', 'tasks:read']) }
    expect(Object.keys(await crm.searchRecords(reader, { search }))).toEqual(['deals'])
    expect(await catchRejection(crm.searchRecords(reader, { search, kinds: 'deals,people' }))).toMatchObject({
      code: 'insufficient_scope',
      message: "This endpoint requires the 'people:read' scope.",
    })
    const nobody = { ...owner, scopes: new Set(['tasks:read']) }
    expect(await catchRejection(crm.searchRecords(nobody, { search }))).toMatchObject({
      code: 'insufficient_scope',
    })
  })

  test('returns tasks and activities if they are named', async () => {
    const { crm, owner } = await withRecords()
    const search = 'roof'
    expect(Object.keys(await crm.searchRecords(owner, { search }))).not.toContain('tasks')
    const results = await crm.searchRecords(owner, { search, kinds: 'activities,tasks' })
    expect(results).toMatchObject({
      tasks: { total: 1, records: [{ title: 'Call' }] },
      activities: { total: 1, records: [{ content_html: '<p>The <b>roof</b> leaks</p>' }] },
    })
    expect(v.is(reportResponses.search, JSON.parse(JSON.stringify(results)))).toBe(true)
    const reader = { ...owner, scopes: new Set(['tasks:read']) }
    expect(
      await catchRejection(crm.searchRecords(reader, { search, kinds: 'tasks,activities' })),
    ).toMatchObject({ message: "This endpoint requires the 'activities:read' scope." })
  })

  test('names every wrong parameter', async () => {
    const { crm, owner } = await withRecords()
    expect(
      await catchFieldErrors(crm.searchRecords(owner, { search: '-', kinds: 'teams', limit: 51 })),
    ).toEqual({
      search: 'Must hold a letter or a digit.',
      kinds:
        'Must be one or more of, separated by commas: people, companies, deals, products, tasks, activities.',
      limit: 'Must be between 1 and 50.',
    })
    expect(await catchFieldErrors(crm.searchRecords(owner, {} as never))).toEqual({ search: 'Required.' })
  })
})
