import { describe, expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, parseOutboundUrl } from '../../../test/harness.ts'
import { validate } from '../../engine/validate.ts'
import { validatePatch } from '../../engine/validate-patch.ts'
import { EVENT_NAMES } from '../../schema/events.ts'
import { webhookInput } from './webhook-input.ts'

const { create, update } = webhookInput(parseOutboundUrl)
const URL_INPUT = 'https://hooks.example/crm'

const catchCreateErrors = (input: object) =>
  catchFieldErrors(() => validate(create, { url: URL_INPUT, events: ['deal.won'], ...input }))

describe('the create input', () => {
  test('normalizes the URL and extracts its host', () => {
    const events = ['deal.won', 'deal.lost']
    expect(validate(create, { url: '  HTTPS://Hooks.Example:443/a b?c={"d"}  ', events })).toEqual({
      url: { url: 'https://hooks.example/a%20b?c={%22d%22}', host: 'hooks.example' },
      events: ['deal.won', 'deal.lost'],
    })
  })

  test('accepts every event', () => {
    expect(validate(create, { url: URL_INPUT, events: [...EVENT_NAMES], auth_enable: null })).toMatchObject({
      events: EVENT_NAMES,
    })
  })

  test('reports all errors at once', async () => {
    const input = {
      url: 'http://hooks.example',
      events: ['deal.one', 7, null, 'people.created'],
      auth_enable: 'yes',
      secret: 'x',
    }
    expect(await catchCreateErrors(input)).toEqual({
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
  ])('rejects the URL %j', async (url, rule) => {
    expect(await catchCreateErrors({ url })).toEqual({ url: rule })
  })

  test('limits the URL to 2048 characters, before and after percent-encoding', async () => {
    const url = `https://hooks.example/${'a'.repeat(2026)}`
    expect(validate(create, { url, events: ['deal.won'] }).url.url).toBe(url)
    expect(await catchCreateErrors({ url: `${url}a` })).toEqual({
      url: 'Must be between 1 and 2048 characters.',
    })
    expect(await catchCreateErrors({ url: `https://hooks.example/${'ã'.repeat(400)}` })).toEqual({
      url: 'Must be at most 2048 characters once it is percent-encoded.',
    })
  })

  test('limits events to a hundred', async () => {
    expect(await catchCreateErrors({ events: Array(101).fill('deal.won') })).toEqual({
      events: 'Must have between 1 and 100 events.',
    })
  })

  test.each([
    [[], { events: 'Must have between 1 and 100 events.' }],
    [['deal.won', 'deal.lost', 'deal.won'], { events: 'Must name none of the events twice.' }],
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
  ])('rejects the events %j', async (events, errors) => {
    expect(await catchCreateErrors({ events })).toEqual(errors)
  })
})

describe('the update input', () => {
  test('contains only the fields sent', () => {
    expect(validatePatch(update, { auth_enable: false })).toEqual({ auth_enable: false })
    expect(validatePatch(update, { url: URL_INPUT })).toEqual({
      url: { url: URL_INPUT, host: 'hooks.example' },
    })
  })

  test('rejects null and empty values', async () => {
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

  test('rejects input without a known field', async () => {
    expect(await catchRejection(() => validatePatch(update, { evnts: [] }))).toEqual({
      code: 'bad_request',
      message: 'No fields provided for update.',
      fields: { evnts: 'Unknown field. Did you mean "events"?' },
    })
  })
})
