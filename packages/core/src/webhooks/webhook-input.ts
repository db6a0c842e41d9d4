import * as v from 'valibot'
import type { OutboundUrl } from '../ports.ts'
import { changeable, flag, line, listOf, object, optional, told } from '../records/fields.ts'
import { nearest } from '../records/nearest.ts'
import { EVENT_NAMES, type EventName } from './event-names.ts'

const LONGEST_URL = 2048
/** More than there are names: one that is named again changes nothing. */
const MOST_EVENTS = 100

interface Target {
  readonly url: string
  readonly host: string
}

const eventName = v.pipe(
  v.string('Must be a string.'),
  told({ enum: EVENT_NAMES }),
  v.picklist(EVENT_NAMES, ({ input }) => unknownEvent(String(input))),
)

const events = v.pipe(
  listOf(eventName, 1, MOST_EVENTS, 'events'),
  v.transform((names) => [...new Set<EventName>(names)]),
)

/** What a webhook is made and changed with. Nothing of it can be empty. */
export function webhookInput(outboundUrl: OutboundUrl) {
  const url = v.pipe(
    line(1, LONGEST_URL),
    told({ format: 'uri' }),
    v.rawTransform<string, Target>(({ dataset, addIssue, NEVER }) => {
      const judged = targetOf(dataset.value, outboundUrl)
      if ('url' in judged) return judged
      addIssue({ message: judged.fault })
      return NEVER
    }),
  )
  return {
    create: object({ url, events, ...optional({ auth_enable: flag }) }),
    update: object(changeable({ url, events, auth_enable: flag })),
  }
}

function targetOf(text: string, outboundUrl: OutboundUrl): Target | { readonly fault: string } {
  const judged = outboundUrl(text)
  // It is answered as it is kept, so that what was answered may be sent again.
  const isTooLong = 'url' in judged && judged.url.length > LONGEST_URL
  return isTooLong ? { fault: `Must be at most ${LONGEST_URL} characters once it is percent-encoded.` } : judged
}

function unknownEvent(name: string): string {
  const near = nearest(name, EVENT_NAMES)
  return `Unknown event.${near === undefined ? '' : ` Did you mean "${near}"?`}`
}
