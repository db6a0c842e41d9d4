import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { companies, deals, people, pipelines, tasks, taskTypes } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { openService, openWorkspace } from './harness.ts'

const TEXT = readFileSync(join(import.meta.dirname, '../../../docs/api.md'), 'utf8')

function section(heading: string): string {
  const found = TEXT.split(/^## /m).find((each) => each.startsWith(`${heading}\n`))
  if (found === undefined) throw new Error(`docs/api.md has no section "${heading}".`)
  return found.replaceAll(/\s+/g, ' ')
}

function sampleIn(heading: string): unknown {
  return JSON.parse(/```json (.*?) ```/.exec(section(heading))?.[1] ?? 'null')
}

/** The names in a value and how they nest, without what they hold. */
function outline(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(outline)
  if (typeof value !== 'object' || value === null) return null
  return Object.entries(value).map(([name, inner]) => [name, outline(inner)])
}

test.each([
  ['People', people],
  ['Companies', companies],
  ['Deals', deals],
  ['Pipelines', pipelines],
  ['Tasks', tasks],
  ['Task types', taskTypes],
] as const)('the reference names every field, order and filter of: %s', (heading, { create, orderBy, filters }) => {
  const text = section(heading)
  const names = [...Object.keys(create.entries), ...Object.keys(filters)]
  expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
  expect(text).toContain(`\`order_by\`: ${orderBy.map((name) => `\`${name}\``).join(', ')}.`)
})

test('the answers in the reference have the shape of those of the service', async () => {
  const acme = await openWorkspace(await openService(memoryStorage()))
  const [emails, phones, owner_email] = [[{ email: 'a@b.example' }], [{ phone: '+55 31 90000' }], acme.owner.email]
  const { id: company_id } = await acme.made('/v1/companies', { full_name: 'Pampa', emails })
  const pipeline = await acme.made('/v1/pipelines', { name: 'New', stages: [{ name: 'Open' }, { name: 'Won', type: 'win' }] })
  const person = await acme.made('/v1/people', { full_name: 'Vitória', emails, phones, company_id, owner_email })
  const caller = await acme.made('/v1/people', { full_name: 'Vitória', emails })
  const deal = await acme.made('/v1/deals', { name: 'Licences', owner_email, person_id: caller.id })
  const { id: deal_id } = await acme.made('/v1/deals', { name: 'Licences' })
  const answers = {
    People: { data: person },
    Companies: { data: await acme.made('/v1/companies', { full_name: 'Pampa', emails, phones }) },
    Deals: { data: deal },
    Pipelines: { data: pipeline },
    Tasks: { data: await acme.made('/v1/tasks', { title: 'Send', type: 'email', deal_id }) },
    'Task types': { data: await acme.made('/v1/task-types', { title: 'Product demo' }) },
    Members: (await acme.call('GET', '/v1/members')).json,
    Workspace: (await acme.call('GET', '/v1/workspace')).json,
  }
  for (const [heading, answer] of Object.entries(answers)) expect([heading, outline(sampleIn(heading))]).toEqual([heading, outline(answer)])
})
