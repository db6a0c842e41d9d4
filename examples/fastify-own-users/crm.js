import { createServer } from '@sales-crm/server'

/** The path at which the CRM is mounted, and that the issuer of its ports ends with. */
const PATH = '/crm'

/** A Fastify plugin that serves the CRM to the users that `findUser` returns for a web request. */
export async function crmPlugin(app, { crm, ports, findUser }) {
  const server = createServer({
    crm,
    ports,
    parts: { pages: false, oauth: false },
    authenticate: (request) => {
      const user = findUser(request.headers.get('cookie'))
      return user && crm.operator.actorFor({ workspace: user.workspace, email: user.email })
    },
  })
  // The CRM reads the body itself.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.all(`${PATH}/*`, (request, reply) => {
    reply.hijack()
    server.listener(request.raw, reply.raw)
  })
}
