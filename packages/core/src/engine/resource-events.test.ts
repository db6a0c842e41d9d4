import { expect, test } from 'vitest'
import { companyEvents } from '../features/companies/company.ts'
import { memberEvents } from '../features/members/member.ts'
import { personEvents } from '../features/people/person.ts'
import { pipelineEvents } from '../features/pipelines/pipeline.ts'
import { tagEvents } from '../features/tags/tag.ts'
import { taskTypes } from '../features/task-types/task-type.ts'
import { taskEvents } from '../features/tasks/task.ts'
import type { Member } from '../schema/member.ts'

const AT = '2026-03-01T12:00:00.000Z'
const stamp = { id: '1', created_at: AT, updated_at: AT }

test.each([
  ['person', personEvents],
  ['company', companyEvents],
  ['pipeline', pipelineEvents],
  ['tag', tagEvents],
])('a %s tells what became of it', (kind, events) => {
  expect([events(undefined, stamp), events(stamp, stamp), events(stamp, undefined)]).toEqual([
    [`${kind}.created`],
    [`${kind}.updated`],
    [`${kind}.deleted`],
  ])
})

test('task types tell nothing', () => {
  const type = { ...stamp, title: 'Call', color: '#6b7280', key: 'call' }
  expect([
    taskTypes.events(undefined, type),
    taskTypes.events(type, type),
    taskTypes.events(type, undefined),
  ]).toEqual([[], [], []])
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
