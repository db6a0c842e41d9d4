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
])('a %s emits created, updated and deleted events', (kind, events) => {
  expect([events(undefined, stamp), events(stamp, stamp), events(stamp, undefined)]).toEqual([
    [`${kind}.created`],
    [`${kind}.updated`],
    [`${kind}.deleted`],
  ])
})

test('task types emit no events', () => {
  const type = { ...stamp, title: 'Call', color: '#6b7280', key: 'call' }
  expect([
    taskTypes.events(undefined, type),
    taskTypes.events(type, type),
    taskTypes.events(type, undefined),
  ]).toEqual([[], [], []])
})

test.each([
  ['created', undefined, { completed: false }, ['task.created']],
  ['created as completed', undefined, { completed: true }, ['task.created']],
  ['updated', { completed: false }, { completed: false }, ['task.updated']],
  ['completed', { completed: false }, { completed: true }, ['task.updated', 'task.completed']],
  ['updated after completion', { completed: true }, { completed: true }, ['task.updated']],
  ['reopened', { completed: true }, { completed: false }, ['task.updated']],
  ['deleted', { completed: true }, undefined, ['task.deleted']],
])('a task that is %s emits the matching events', (_, before, after, events) => {
  expect(taskEvents(before, after)).toEqual(events)
})

const current: Member = {
  ...stamp,
  role: 'member',
  removed_at: null,
  has_joined: true,
  language: null,
  reminder_time: null,
  calendar_hash: null,
  notices: {},
}
const removed: Member = { ...current, removed_at: AT }

test.each([
  ['joins', undefined, current, ['member_joined']],
  ['rejoins', removed, current, ['member_joined']],
  ['leaves', current, removed, ['member_removed']],
  ['becomes an admin', current, { ...current, role: 'admin' } as const, []],
  ['stays removed', removed, removed, []],
])('a member who %s emits the matching events', (_, before, after, events) => {
  expect(memberEvents(before, after)).toEqual(events)
})
