import * as v from 'valibot'
import { didYouMean } from '../../engine/did-you-mean.ts'
import {
  changeable,
  flag,
  jsonSchema,
  listOf,
  object,
  optional,
  singleLineText,
} from '../../engine/field-schemas.ts'
import { EVENT_NAMES, type EventName } from '../../kernel/event-names.ts'
import type { ParseOutboundUrl } from '../../ports/index.ts'

const MAX_URL_LENGTH = 2048
/** More than there are names: one that is named again changes nothing. */
const MAX_EVENTS = 100

interface Target {
  readonly url: string
  readonly host: string
}

const eventName = v.pipe(
  v.string('Must be a string.'),
  jsonSchema({ enum: EVENT_NAMES }),
  v.picklist(EVENT_NAMES, ({ input }) => unknownEventMessage(String(input))),
)

const events = v.pipe(
  listOf(eventName, 1, MAX_EVENTS, 'events'),
  v.transform((names) => [...new Set<EventName>(names)]),
)

/** What a webhook is made and changed with. Nothing of it can be empty. */
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
  // It is answered as it is kept, so that what was answered may be sent again.
  const isTooLong = 'url' in parsed && parsed.url.length > MAX_URL_LENGTH
  return isTooLong
    ? { error: `Must be at most ${MAX_URL_LENGTH} characters once it is percent-encoded.` }
    : parsed
}

function unknownEventMessage(name: string): string {
  const suggestion = didYouMean(name, EVENT_NAMES)
  return `Unknown event.${suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`}`
}
