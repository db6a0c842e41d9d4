import { describe, expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, parseOutboundUrl } from '../../../test/harness.ts'
import { validate, validatePatch } from '../../engine/validate.ts'
import { EVENT_NAMES } from '../../kernel/event-names.ts'
import { webhookInput } from './webhook-input.ts'

const { create, update } = webhookInput(parseOutboundUrl)
const URL_SENT = 'https://hooks.example/crm'

const faults = (sent: object) =>
  catchFieldErrors(() => validate(create, { url: URL_SENT, events: ['deal.won'], ...sent }))

describe('a new webhook', () => {
  test('has its URL as a parser writes it, with the host, and each event once in the order sent', () => {
    const events = ['deal.won', 'deal.lost', 'deal.won']
    expect(validate(create, { url: '  HTTPS://Hooks.Example:443/a b?c={"d"}  ', events })).toEqual({
      url: { url: 'https://hooks.example/a%20b?c={%22d%22}', host: 'hooks.example' },
      events: ['deal.won', 'deal.lost'],
    })
  })

  test('can be told of every event', () => {
    expect(validate(create, { url: URL_SENT, events: [...EVENT_NAMES], auth_enable: null })).toMatchObject({
      events: EVENT_NAMES,
    })
  })

  test('is told of everything that is wrong with it at once', async () => {
    const sent = {
      url: 'http://hooks.example',
      events: ['deal.one', 7, null, 'people.created'],
      auth_enable: 'yes',
      secret: 'x',
    }
    expect(await faults(sent)).toEqual({
      url: 'Must be an https URL.',
      'events[0]': 'Unknown event. Did you mean "deal.won"?',
      'events[1]': 'Must be a string.',
      'events[2]': 'Must not be null.',
      'events[3]': 'Unknown event. Did you mean "person.created"?',
      auth_enable: 'Must be true or false.',
      secret: 'Unknown field.',
    })
    expect(await catchFieldErrors(() => validate(create, {}))).toEqual({
      url: 'Required.',
      events: 'Required.',
    })
    expect(await catchFieldErrors(() => validate(create, { url: null, events: null }))).toEqual({
      url: 'Must not be null.',
      events: 'Must not be null.',
    })
  })

  test.each([
    [7, 'Must be a string.'],
    [{ url: 'https://a.example' }, 'Must be a string.'],
    ['  ', 'Required.'],
    ['https://hooks.example/\ud800', 'Must be valid Unicode text.'],
    ['https://hooks.example/\0', 'Must not contain control characters.'],
    ['https://hooks.example/\na', 'Must not contain control characters.'],
    ['not a url', 'Must be an https URL.'],
  ])('has no URL such as %j', async (url, rule) => {
    expect(await faults({ url })).toEqual({ url: rule })
  })

  test('has a URL of at most 2048 characters, as it is sent and as it is kept', async () => {
    const url = `https://hooks.example/${'a'.repeat(2026)}`
    expect(validate(create, { url, events: ['deal.won'] }).url.url).toBe(url)
    expect(await faults({ url: `${url}a` })).toEqual({ url: 'Must be between 1 and 2048 characters.' })
    expect(await faults({ url: `https://hooks.example/${'ã'.repeat(400)}` })).toEqual({
      url: 'Must be at most 2048 characters once it is percent-encoded.',
    })
  })

  test('names at most a hundred events', async () => {
    expect(validate(create, { url: URL_SENT, events: Array(100).fill('deal.won') }).events).toEqual([
      'deal.won',
    ])
    expect(await faults({ events: Array(101).fill('deal.won') })).toEqual({
      events: 'Must have between 1 and 100 events.',
    })
  })

  test.each([
    [[], { events: 'Must have between 1 and 100 events.' }],
    ['deal.won', { events: 'Must be an array.' }],
    [{ length: 1, 0: 'deal.won' }, { events: 'Must be an array.' }],
    [['__proto__'], { 'events[0]': 'Unknown event.' }],
    [['toString'], { 'events[0]': 'Unknown event.' }],
    [['constructor', 'deal.won'], { 'events[0]': 'Unknown event.' }],
    [['webhook.test'], { 'events[0]': 'Unknown event.' }],
    [['*'], { 'events[0]': 'Unknown event.' }],
    [['\ud800'], { 'events[0]': 'Unknown event.' }],
    [['deal.won\0'], { 'events[0]': 'Unknown event. Did you mean "deal.won"?' }],
    [['Deal.Won'], { 'events[0]': 'Unknown event. Did you mean "deal.won"?' }],
    [['member.joined'], { 'events[0]': 'Unknown event. Did you mean "member_joined"?' }],
    [[' deal.won'], { 'events[0]': 'Unknown event. Did you mean "deal.won"?' }],
    [['deal.won'.repeat(9)], { 'events[0]': 'Unknown event.' }],
  ])('has no events such as %j', async (events, told) => {
    expect(await faults({ events })).toEqual(told)
  })
})

describe('a change of a webhook', () => {
  test('keeps to the fields that are sent', () => {
    expect(validatePatch(update, { auth_enable: false })).toEqual({ auth_enable: false })
    expect(validatePatch(update, { url: URL_SENT })).toEqual({
      url: { url: URL_SENT, host: 'hooks.example' },
    })
  })

  test('empties nothing', async () => {
    expect(
      await catchFieldErrors(() => validatePatch(update, { url: null, events: null, auth_enable: null })),
    ).toEqual({
      url: 'Must not be null.',
      events: 'Must not be null.',
      auth_enable: 'Must not be null.',
    })
    expect(await catchFieldErrors(() => validatePatch(update, { events: [] }))).toEqual({
      events: 'Must have between 1 and 100 events.',
    })
  })

  test('that names no known field is none', async () => {
    expect(await catchRejection(() => validatePatch(update, { evnts: [] }))).toEqual({
      code: 'bad_request',
      message: 'No fields provided for update.',
      fields: { evnts: 'Unknown field. Did you mean "events"?' },
    })
  })
})
