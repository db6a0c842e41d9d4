import { credentialsPage, secretPage } from '../credentials-page.ts'
import { showExpiredLink } from './expired-link.ts'
import type { PageCrm, View, Visit } from './visit.ts'

const PATH = '/credentials/:token'

/** GET changes nothing, because mail scanners follow links. POST creates the secret. */
export function credentialRoutes({ oauth }: PageCrm): readonly View[] {
  return [
    {
      method: 'GET',
      path: PATH,
      async handle(visit) {
        const token = visit.req.param('token') ?? ''
        const app = await oauth.findAppByLink(token)
        return app
          ? visit.show(200, credentialsPage(visit.context(), { token, ...app }))
          : showSecretLinkExpired(visit)
      },
    },
    {
      method: 'POST',
      path: PATH,
      async handle(visit) {
        const app = await oauth.issueSecret(visit.req.param('token') ?? '')
        return app ? visit.show(200, secretPage(visit.context(), app)) : showSecretLinkExpired(visit)
      },
    },
  ]
}

function showSecretLinkExpired(visit: Visit) {
  return showExpiredLink(visit, { hint: visit.texts.messages.secretLinkOver })
}
