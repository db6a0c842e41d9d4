import type { TaskListItem, TaskType } from '@sales-crm/client'
import { expect, test } from 'vitest'
import { Calendar } from '../format/calendar.ts'
import { buildTaskInput, pickChanges, reminderChanges, subjectChanges } from './task-input.ts'

test('a new task is about a deal, a person or a company', () => {
  const none = { deal_id: null, person_id: null, company_id: null }
  expect(subjectChanges(undefined, { kind: 'deals', id: 'd', name: 'D' })).toEqual({ ...none, deal_id: 'd' })
  expect(subjectChanges(undefined, { kind: 'people', id: 'p', name: 'P' })).toEqual({
    ...none,
    person_id: 'p',
  })
  expect(subjectChanges(undefined, { kind: 'companies', id: 'c', name: 'C' })).toEqual({
    ...none,
    company_id: 'c',
  })
  expect(subjectChanges(undefined, null)).toEqual({})
})

test('a new task has the person and the company of what it is about', () => {
  const [person, company] = [
    { id: 'p', full_name: 'P' },
    { id: 'c', full_name: 'C' },
  ]
  expect(
    subjectChanges(undefined, { kind: 'deals', id: 'd', name: 'D', links: { person, company } }),
  ).toEqual({ deal_id: 'd', person_id: 'p', company_id: 'c' })
  expect(subjectChanges(undefined, { kind: 'people', id: 'p', name: 'P', links: { company } })).toEqual({
    deal_id: null,
    person_id: 'p',
    company_id: 'c',
  })
})

test('a task keeps what it is about, unless another record is chosen', () => {
  const task = { deal: { id: 'd' }, person: { id: 'p' }, company: null } as TaskListItem
  expect(subjectChanges(task, { kind: 'deals', id: 'd', name: 'D' })).toEqual({})
  expect(subjectChanges(task, null)).toEqual({ deal_id: null, person_id: null, company_id: null })
})

test('a task without a title is named by its type, and what is empty is null', () => {
  const draft = {
    title: ' ',
    type: '',
    day: '',
    time: '',
    priority: '',
    ownerId: '',
    notes: ' ',
    subject: null,
  } as const
  expect(buildTaskInput(draft, { key: 'call', title: 'Call' } as TaskType, new Calendar('UTC'))).toEqual({
    title: 'Call',
    type: 'call',
    due_date: null,
    priority: null,
    owner_user_id: null,
    notes: null,
  })
})

test('only what differs is sent', () => {
  expect(pickChanges({ title: 'A', notes: null }, { title: 'B', notes: null })).toEqual({ title: 'B' })
  expect(pickChanges({ notes: 'N' }, { notes: null as string | null })).toEqual({ notes: null })
  expect(pickChanges({ title: 'A' }, { title: 'A' })).toEqual({})
})

test('a reminder is minutes before the time in the workspace, and none for a whole day', () => {
  const calendar = new Calendar('America/Sao_Paulo')
  const draft = { day: '2026-11-30', time: '09:00', reminder: '60' }
  expect(reminderChanges(draft, calendar)).toEqual({ remind_at: '2026-11-30T11:00:00.000Z' })
  expect(reminderChanges({ ...draft, reminder: '0' }, calendar)).toEqual({
    remind_at: '2026-11-30T12:00:00.000Z',
  })
  expect(reminderChanges({ ...draft, reminder: '' }, calendar)).toEqual({})
  expect(reminderChanges({ ...draft, time: '' }, calendar)).toEqual({})
})
