import { expect, test } from 'vitest'
import { createReceiver, memoryStore, type ReceiverOptions } from '../src/index.ts'
import { SECRET } from './deliveries.ts'

const VALID = { secrets: [SECRET], store: memoryStore(), on: {} }
const SECRET_RULE = 'must be a webhook secret: whsec_ and its key, without spaces.'

test.each([
  [{ secrets: undefined }, 'secrets must be an array of webhook secrets.'],
  [{ secrets: SECRET }, 'secrets must be an array of webhook secrets.'],
  [
    { secrets: [] },
    'secrets must contain at least one webhook secret. Undefined entries, such as unset variables, are ignored.',
  ],
  [
    { secrets: [undefined, undefined] },
    'secrets must contain at least one webhook secret. Undefined entries, such as unset variables, are ignored.',
  ],
  [{ secrets: [SECRET, ''] }, `secrets[1] ${SECRET_RULE}`],
  [{ secrets: ['whsec_'] }, `secrets[0] ${SECRET_RULE}`],
  [{ secrets: [SECRET.slice(6)] }, `secrets[0] ${SECRET_RULE}`],
  [{ secrets: [`${SECRET}\n`] }, `secrets[0] ${SECRET_RULE}`],
  [{ secrets: [null] }, `secrets[0] ${SECRET_RULE}`],
  [{ store: undefined }, 'store must be an IdStore, such as memoryStore() or postgresStore(pool).'],
  [{ store: memoryStore }, 'store must be an IdStore, such as memoryStore() or postgresStore(pool).'],
  [{ on: undefined }, 'on must be an object of handlers by event name.'],
  [{ on: () => {} }, 'on must be an object of handlers by event name.'],
  [{ on: { 'deal.won': undefined } }, "on['deal.won'] must be a function."],
  [{ onOther: 'log' }, 'onOther must be a function.'],
  [{ onError: null }, 'onError must be a function.'],
  [{ maxBytes: 0 }, 'maxBytes must be a whole number of at least 1.'],
  [{ maxBytes: '10MB' }, 'maxBytes must be a whole number of at least 1.'],
])('%j is refused: %s', (options, message) => {
  const create = () => createReceiver({ ...VALID, ...options } as unknown as ReceiverOptions<undefined>)
  expect(create).toThrow(new TypeError(message))
})

test.each([
  ['deal.win', "Did you mean 'deal.won'?"],
  ['Deal.Won', "Did you mean 'deal.won'?"],
  ['person_created', "Did you mean 'person.created'?"],
  ['member.joined', "Did you mean 'member_joined'?"],
  ['planet.discovered', 'onOther handles events that it does not know.'],
])('the unknown event %s is refused with a hint', (name, hint) => {
  expect(() => createReceiver({ ...VALID, on: { [name]: () => {} } })).toThrow(
    new TypeError(`on['${name}'] is not an event that this version of @sales-crm/webhooks knows. ${hint}`),
  )
})

test('a refused secret is not part of the message', () => {
  expect(() => createReceiver({ ...VALID, secrets: ['top-secret'] })).toThrow(/^(?!.*top-secret)/)
})
