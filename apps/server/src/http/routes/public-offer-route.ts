import type { Crm } from '@sales-crm/core'
import { OPEN_OFFER } from '../../openapi/offer-operations.ts'
import { offerOverPage } from '../../pages/offer-over-page.ts'
import { translationsFor } from '../../pages/translations/accept-language.ts'
import { contentDisposition } from '../content-disposition.ts'
import { pageResponse } from '../page-response.ts'
import { rejectQueryParameters } from '../query-string.ts'
import { type OpenRoute, pathParam } from './route.ts'

const HEADERS = {
  'Cache-Control': 'private, no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
}

/** The document of an offer for whoever has its link: without a session, and without cookies. */
export function publicOfferRoute({ deals: { offers } }: Pick<Crm, 'deals'>, basePath: string): OpenRoute {
  return {
    ...{ method: 'GET', path: '/offers/:token', access: 'nobody', limitedBy: 'address' },
    ...{ turn: 'address', operation: OPEN_OFFER },
    async handle(c) {
      rejectQueryParameters(c.req.url)
      const isHead = c.req.method === 'HEAD'
      const offer = await offers.open(pathParam(c, 'token'), !isHead)
      if (offer.document === null) {
        const texts = translationsFor(offer.language ?? c.req.header('Accept-Language'))
        const headers = { ...HEADERS, 'Content-Language': texts.language, Vary: 'Accept-Language' }
        return pageResponse(404, offerOverPage(texts, basePath, offer.email), { headers })
      }
      const headers = {
        ...HEADERS,
        'Content-Type': 'application/pdf',
        'Content-Disposition': contentDisposition('inline', offer.filename),
      }
      if (isHead) return c.body(null, 200, headers)
      const bytes = Buffer.from(offer.document)
      return c.body(bytes, 200, { ...headers, 'Content-Length': String(bytes.length) })
    },
  }
}
