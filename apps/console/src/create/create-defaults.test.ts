import { expect, test } from 'vitest'
import { defaultsFor, pickedSubject, placeOf } from './create-defaults.ts'

const person = { id: 'p', full_name: 'Paula' }
const company = { id: 'c', full_name: 'Acme' }

test('what is created for a record is linked with what the record is linked with', () => {
  expect(defaultsFor('deals', { id: 'd', name: 'Deal', person, company })).toEqual({
    deal: { id: 'd', name: 'Deal' },
    person,
    company,
  })
  expect(defaultsFor('people', { ...person, company })).toEqual({ person, company })
  expect(defaultsFor('companies', company)).toEqual({ person: null, company })
})

test('the company of a person is unknown in a list, and known to be none on a page', () => {
  expect(defaultsFor('people', person).company).toBeUndefined()
  expect(defaultsFor('people', { ...person, company: null }).company).toBeNull()
})

test('a task is about a deal before a person before a company, with the others', () => {
  const deal = { id: 'd', name: 'Deal' }
  expect(pickedSubject({ deal, person, company })).toEqual({
    kind: 'deals',
    ...deal,
    links: { person, company },
  })
  expect(pickedSubject({ person, company })).toEqual({
    kind: 'people',
    id: 'p',
    name: 'Paula',
    links: { company },
  })
  expect(pickedSubject({ company })).toEqual({ kind: 'companies', id: 'c', name: 'Acme' })
  expect(pickedSubject({})).toBeNull()
})

test('each way into a form is a place of its own', () => {
  const places = [
    placeOf('deals', {}),
    placeOf('tasks', {}),
    placeOf('deals', { pipelineId: 'l' }),
    placeOf('deals', { pipelineId: 'l', stageId: 's' }),
    placeOf('deals', { person }),
    placeOf('deals', { company }),
    placeOf('deals', { person, company }),
    placeOf('deals', { name: 'Typed' }),
  ]
  expect(new Set(places).size).toBe(places.length)
  expect(placeOf('deals', { company: null })).toBe(placeOf('deals', {}))
})
