import { randomUUID } from 'node:crypto'
import { CrmError, createCrm } from '@sales-crm/core'
import fastify from 'fastify'
import { crmPlugin } from './crm.js'
import { Users } from './users.js'

const text = { type: 'string', minLength: 1, maxLength: 80 }
const email = { ...text, format: 'email', maxLength: 254 }
const password = { ...text, minLength: 12, maxLength: 200 }

/** Creates the application. `ports` are those of the CRM. */
export function createApp(ports) {
  const users = new Users()
  const crm = createCrm(ports)
  const app = fastify()

  app.post(
    '/sign-up',
    { schema: bodyOf({ email, password, name: text, company: text }) },
    async (request, reply) => {
      const { company, name, ...account } = request.body
      const user = await users.add({ ...account, workspace: `w-${randomUUID()}` })
      if (!user) return reply.code(409).send({ error: 'The e-mail address is taken.' })
      try {
        const owner = { owner_name: name, owner_email: user.email }
        await crm.operator.createWorkspace({ name: company, slug: user.workspace, ...owner })
      } catch (error) {
        users.remove(user)
        if (!(error instanceof CrmError)) throw error
        return reply.code(422).send({ error: error.message, fields: error.fields })
      }
      return reply.code(201).send({ email: user.email })
    },
  )

  app.post('/sign-in', { schema: bodyOf({ email, password }) }, async (request, reply) => {
    const cookie = await users.signIn(request.body)
    return cookie ? reply.header('Set-Cookie', cookie).code(204).send() : reply.code(401).send()
  })

  app.register(crmPlugin, { crm, ports, findUser: (cookies) => users.find(cookies) })
  return app
}

function bodyOf(properties) {
  return { body: { type: 'object', required: Object.keys(properties), properties } }
}
