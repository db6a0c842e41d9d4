import { expect, test } from 'vitest'
import { catchFieldErrors, createTestCrm } from '../../../test/harness.ts'
import type { Deal } from '../../schema/deal.ts'
import { findMissingFields } from './required-fields.ts'

const RULE = 'Required in this stage.'
const EMPTY = {
  ...{ name: 'Chairs', amount: 0, source: null, forecast_date: null, lost_reason_id: null, lost_note: null },
  ...{ owner_user_id: null, person_id: null, company_id: null, tag_ids: [], list_ids: [], custom_values: {} },
} as unknown as Deal
const SEGMENT = { id: 'f1', key: 'segment' }

test.each<[string, readonly string[], object, object]>([
  ['nothing is required', [], {}, {}],
  ['an amount of zero is none', ['amount'], {}, { amount: RULE }],
  ['an amount', ['amount'], { amount: 1 }, {}],
  ['a text and a time', ['source', 'forecast_date'], { source: 'Fair' }, { forecast_date: RULE }],
  [
    'links are named as in inputs',
    ['owner', 'person', 'company', 'lost_reason'],
    { company_id: 'c' },
    { owner_user_id: RULE, person_id: RULE, lost_reason_id: RULE },
  ],
  ['tags and lists', ['tags', 'lists'], { list_ids: ['l'] }, { tags: RULE }],
  ['a custom field', ['custom_fields.segment'], {}, { 'custom_fields.segment': RULE }],
  ['a custom field with a value', ['custom_fields.segment'], { custom_values: { f1: 0 } }, {}],
  ['a custom field that was deleted', ['custom_fields.other'], {}, {}],
])('%s', (_, names, fields, missing) => {
  expect(findMissingFields(names, { ...EMPTY, ...fields }, [SEGMENT])).toEqual(missing)
})

async function setUpStages() {
  const base = await createTestCrm()
  const { crm, owner } = base
  await crm.customFields.create(owner, { label: 'Segment', key: 'segment', type: 'text', show_deals: true })
  const { stages } = await crm.pipelines.create(owner, {
    name: 'Sales',
    stages: [
      { name: 'New' },
      { name: 'Proposal', required_fields: ['amount', 'person', 'custom_fields.segment'] },
      { name: 'Lost', type: 'lost', required_fields: ['lost_reason'] },
    ],
  })
  const [fresh, proposal, lost] = stages.map(({ id }) => id) as [string, string, string]
  return { ...base, fresh, proposal, lost }
}

const MISSING = { amount: RULE, person_id: RULE, 'custom_fields.segment': RULE }

test('a create and a move into a stage need its fields, which may come with them', async () => {
  const { crm, owner, fresh, proposal } = await setUpStages()
  const person = await crm.people.create(owner, { full_name: 'Ana' })
  expect(await catchFieldErrors(crm.deals.create(owner, { name: 'A', stage_id: proposal }))).toEqual(MISSING)
  const deal = await crm.deals.create(owner, { name: 'A' })
  expect(await catchFieldErrors(crm.deals.update(owner, deal.id, { stage_id: proposal }))).toEqual(MISSING)
  expect((await crm.deals.get(owner, deal.id)).stage?.id).toBe(fresh)
  const fields = { amount: 5, person_id: person.id, custom_fields: [{ key: 'segment', value: 'retail' }] }
  const moved = await crm.deals.update(owner, deal.id, { stage_id: proposal, ...fields })
  expect(moved.stage?.id).toBe(proposal)
  expect((await crm.deals.create(owner, { name: 'B', stage_id: proposal, ...fields })).amount).toBe(5)
})

test('a deal that stands in the stage may lack them', async () => {
  const { crm, owner, proposal } = await setUpStages()
  const person = await crm.people.create(owner, { full_name: 'Ana' })
  const fields = { amount: 5, person_id: person.id, custom_fields: [{ key: 'segment', value: 'retail' }] }
  const deal = await crm.deals.create(owner, { name: 'A', stage_id: proposal, ...fields })
  await crm.deals.update(owner, deal.id, { amount: 0, stage_id: proposal })
  expect((await crm.deals.update(owner, deal.id, { source: 'Fair', person_id: null })).amount).toBe(0)
})

test('a link to a deleted record is none', async () => {
  const { crm, owner, proposal } = await setUpStages()
  const person = await crm.people.create(owner, { full_name: 'Ana' })
  const fields = { amount: 5, person_id: person.id, custom_fields: [{ key: 'segment', value: 'retail' }] }
  const deal = await crm.deals.create(owner, { name: 'A', ...fields })
  await crm.people.remove(owner, person.id)
  expect(await catchFieldErrors(crm.deals.update(owner, deal.id, { stage_id: proposal }))).toEqual({
    person_id: RULE,
  })
})

test('a stage of lost deals can require the reason', async () => {
  const { crm, owner, lost } = await setUpStages()
  const reason = await crm.lostReasons.create(owner, { name: 'Price' })
  const deal = await crm.deals.create(owner, { name: 'A' })
  expect(await catchFieldErrors(crm.deals.update(owner, deal.id, { stage_id: lost }))).toEqual({
    lost_reason_id: RULE,
  })
  const changes = { stage_id: lost, lost_reason_id: reason.id }
  expect((await crm.deals.update(owner, deal.id, changes)).lost_reason).toEqual({
    id: reason.id,
    name: 'Price',
  })
})
