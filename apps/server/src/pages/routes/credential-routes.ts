import { credentialsPage, secretPage } from '../credentials.ts'
import { linkOver } from './link-over.ts'
import type { PageCrm, View, Visit } from './visit.ts'

const PATH = '/credentials/:token'

/** Programs that look into mail follow links, and press no button: so the link changes nothing, and the button makes the secret. */
export function credentialRoutes({ oauth }: PageCrm): readonly View[] {
  return [
    {
      method: 'GET',
      path: PATH,
      async handle(visit) {
        const token = visit.req.param('token') ?? ''
        const app = await oauth.appOfLink(token)
        return app ? visit.show(200, credentialsPage(visit.context(), { token, ...app })) : over(visit)
      },
    },
    {
      method: 'POST',
      path: PATH,
      async handle(visit) {
        const app = await oauth.takeSecret(visit.req.param('token') ?? '')
        return app ? visit.show(200, secretPage(visit.context(), app)) : over(visit)
      },
    },
  ]
}

function over(visit: Visit) {
  return linkOver(visit, { how: visit.texts.notices.secretLinkOver })
}
