import { notFound } from '@sales-crm/core'
import type { HttpResponse } from '../../http/response.ts'
import type { Link } from '../notice-page.ts'
import type { Visit } from './visit.ts'

interface ExpiredLinkOptions {
  /** How to come by another link. */
  readonly hint?: string | undefined
  readonly link?: Link | undefined
}

/** The same for a link that was used, one that has expired, and one that never was. */
export function showExpiredLink(visit: Visit, { hint, link }: ExpiredLinkOptions): HttpResponse {
  const { title, text } = visit.texts.notices.linkOver
  return visit.showNotice(notFound('Link'), {
    title,
    text: hint === undefined ? text : `${text} ${hint}`,
    link,
  })
}
