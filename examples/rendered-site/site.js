import { CrmApiError } from '@sales-crm/client'
import { Hono } from 'hono'
import { csrf } from 'hono/csrf'
import { renderPage } from './page.js'

/** Creates the site. The token of `crm`, a client, has the scopes `people:read` and `people:write`. */
export function createSite(crm) {
  const site = new Hono()
  site.use(csrf())

  site.get('/', async (c) => {
    const search = c.req.query('search')?.trim() || undefined
    try {
      const people = await crm.people.list({ search, order_by: 'full_name', order: 'asc' })
      return c.html(renderPage({ people, search }))
    } catch (error) {
      return c.html(renderPage({ search, errors: fieldsOf(error) }), 422)
    }
  })

  site.post('/people', async (c) => {
    const { full_name, email, key } = await c.req.parseBody()
    try {
      // The key is that of the form: sending it twice adds one person.
      await crm.people.create({ full_name, emails: email ? [{ email }] : [] }, { idempotencyKey: key })
      return c.redirect('/', 303)
    } catch (error) {
      return c.html(renderPage({ input: { full_name, email }, errors: fieldsOf(error) }), 422)
    }
  })
  return site
}

/** Returns the rule that each invalid field breaks. Throws any other error again. */
function fieldsOf(error) {
  if (error instanceof CrmApiError && error.code === 'validation_error') return error.fields
  throw error
}
