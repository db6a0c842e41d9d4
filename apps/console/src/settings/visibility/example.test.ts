import { expect, test } from 'vitest'
import { chooseExample, chooseOwner, showExample } from './example.ts'

const VISIBILITY = { people: 'everyone', companies: 'everyone', deals: 'team', tasks: 'owner' } as const
const member = (id: string, role: 'owner' | 'member' = 'member') => ({ id, name: id, role })

test('a workspace with fewer than two bounded members is shown an invented one', () => {
  const example = chooseExample([member('olga', 'owner'), member('ben')], [])
  expect(example.isInvented).toBe(true)
  const { viewers, others } = showExample(example, VISIBILITY, 'deals', chooseOwner(example)!)
  expect(viewers.map(({ member_id, reason }) => [member_id, reason])).toEqual([
    ['caio', 'owner'],
    ['ana', 'workspace_owner'],
    ['bruno', 'lead'],
  ])
  expect(others.map(({ name }) => name)).toEqual(['Duda'])
})

test('others are shown their own members, and a record of one who is on a team', () => {
  const members = [member('olga', 'owner'), member('ben'), member('cleo'), member('dan')]
  const teams = [
    {
      ...{ id: 'south', name: 'South' },
      members: [
        { id: 'dan', lead: true },
        { id: 'cleo', lead: false },
      ],
    },
  ]
  const example = chooseExample(members, teams)
  expect([example.isInvented, chooseOwner(example)]).toEqual([false, 'cleo'])
  expect(showExample(example, VISIBILITY, 'deals', 'ben').others.map(({ id }) => id)).toEqual(['cleo', 'dan'])
  expect(showExample(example, VISIBILITY, 'people', 'ben').others).toEqual([])
  expect(showExample(example, VISIBILITY, 'tasks', null).others).toEqual([])
})
