import { notFound } from '@sales-crm/core'
import type { Link } from '../message-page.ts'
import type { Visit } from './visit.ts'

interface ExpiredLinkOptions {
  /** Explains how to get another link. */
  readonly hint?: string | undefined
  readonly link?: Link | undefined
}

/** Shows the same page for links that were used, have expired, or never existed. */
export function showExpiredLink(visit: Visit, { hint, link }: ExpiredLinkOptions): Response {
  const { title, text } = visit.texts.messages.linkOver
  return visit.showMessage(notFound('Link'), {
    title,
    text: hint === undefined ? text : `${text} ${hint}`,
    link,
  })
}
