import * as v from 'valibot'
import { unknownNameRule } from '../../engine/unknown-names.ts'
import { flag } from '../../kernel/field-schemas.ts'
import { changeable, distinctListOf, object, optional } from '../../kernel/object-schemas.ts'
import { jsonSchema, singleLineText } from '../../kernel/text-schemas.ts'
import type { ParseOutboundUrl } from '../../ports/index.ts'
import { EVENT_NAMES } from '../../schema/events.ts'

const MAX_URL_LENGTH = 2048
/** Exceeds the number of event names, which grows. */
const MAX_EVENTS = 100

interface Target {
  readonly url: string
  readonly host: string
}

const eventName = v.pipe(
  v.string('Must be a string.'),
  jsonSchema({ enum: EVENT_NAMES }),
  v.picklist(EVENT_NAMES, ({ input }) => unknownNameRule('event', String(input), EVENT_NAMES)),
)

const events = distinctListOf(eventName, 1, MAX_EVENTS, 'events')

/** Returns the input schemas of create and update. No field can be null or empty on update. */
export function webhookInput(parseOutboundUrl: ParseOutboundUrl) {
  const url = v.pipe(
    singleLineText(1, MAX_URL_LENGTH),
    jsonSchema({ format: 'uri' }),
    v.rawTransform<string, Target>(({ dataset, addIssue, NEVER }) => {
      const parsed = parseTarget(dataset.value, parseOutboundUrl)
      if ('url' in parsed) return parsed
      addIssue({ message: parsed.error })
      return NEVER
    }),
  )
  return {
    create: object({ url, events, ...optional({ auth_enable: flag }) }),
    update: object(changeable({ url, events, auth_enable: flag })),
  }
}

function parseTarget(text: string, parseOutboundUrl: ParseOutboundUrl): Target | { readonly error: string } {
  const parsed = parseOutboundUrl(text)
  // Checked after normalization too, so that the returned URL is a valid input again.
  const isTooLong = 'url' in parsed && parsed.url.length > MAX_URL_LENGTH
  return isTooLong
    ? { error: `Must be at most ${MAX_URL_LENGTH} characters once it is percent-encoded.` }
    : parsed
}
