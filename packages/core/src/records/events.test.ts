import { expect, test } from 'vitest'
import { companies } from '../companies/company.ts'
import type { Member } from '../members/member.ts'
import { memberEvents } from '../members/members.ts'
import { people } from '../people/person.ts'
import { pipelines } from '../pipelines/pipelines.ts'
import { taskTypes } from '../task-types/task-type.ts'
import { taskEvents } from '../tasks/task.ts'

const AT = '2026-03-01T12:00:00.000Z'
const stamp = { id: '1', created_at: AT, updated_at: AT }

test('people, companies and pipelines tell what became of them', () => {
  const person = { ...stamp, ...people.blank }
  const company = { ...stamp, ...companies.blank }
  const pipeline = { ...stamp, ...pipelines.blank }
  const [seen, sight, view] = [{ ...person }, { ...company }, { ...pipeline }] as unknown as [never, never, never]
  expect([people.events(undefined, seen), people.events(person, seen), people.events(person, undefined)]).toEqual([
    ['person.created'],
    ['person.updated'],
    ['person.deleted'],
  ])
  expect([companies.events(undefined, sight), companies.events(company, sight), companies.events(company, undefined)]).toEqual([
    ['company.created'],
    ['company.updated'],
    ['company.deleted'],
  ])
  expect([pipelines.events(undefined, view), pipelines.events(pipeline, view), pipelines.events(pipeline, undefined)]).toEqual([
    ['pipeline.created'],
    ['pipeline.updated'],
    ['pipeline.deleted'],
  ])
})

test('task types tell nothing', () => {
  const type = { ...stamp, title: 'Call', color: '#6b7280', key: 'call' }
  expect([taskTypes.events(undefined, type), taskTypes.events(type, type), taskTypes.events(type, undefined)]).toEqual([[], [], []])
})

test.each([
  ['made', undefined, { completed: false }, ['task.created']],
  ['made completed', undefined, { completed: true }, ['task.created']],
  ['edited', { completed: false }, { completed: false }, ['task.updated']],
  ['completed', { completed: false }, { completed: true }, ['task.updated', 'task.completed']],
  ['edited once completed', { completed: true }, { completed: true }, ['task.updated']],
  ['opened again', { completed: true }, { completed: false }, ['task.updated']],
  ['deleted', { completed: true }, undefined, ['task.deleted']],
])('a task that is %s tells so', (_, before, after, events) => {
  expect(taskEvents(before, after)).toEqual(events)
})

const here: Member = { ...stamp, role: 'member', removed_at: null }
const gone: Member = { ...here, removed_at: AT }

test.each([
  ['joins', undefined, here, ['member_joined']],
  ['joins again', gone, here, ['member_joined']],
  ['leaves', here, gone, ['member_removed']],
  ['is made an admin', here, { ...here, role: 'admin' } as const, []],
  ['stays away', gone, gone, []],
])('a member who %s causes the right events', (_, before, after, events) => {
  expect(memberEvents(before, after)).toEqual(events)
})
