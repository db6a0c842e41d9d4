import { notFound } from '@sales-crm/core'
import type { Reply } from '../../answer.ts'
import type { Link } from '../notice.ts'
import type { Visit } from './visit.ts'

interface Way {
  /** How to come by another link. */
  readonly how?: string | undefined
  readonly link?: Link | undefined
}

/** The same for a link that was used, one that has expired, and one that never was. */
export function linkOver(visit: Visit, { how, link }: Way): Reply {
  const { title, text } = visit.texts.notices.linkOver
  return visit.end(notFound('Link'), { title, text: how === undefined ? text : `${text} ${how}`, link })
}
