import { forbidden, notFound, type Parameters, type SetupInput } from '@sales-crm/core'
import { COUNTRIES, proposeSettings } from '@sales-crm/core/browser'
import type { FormErrors } from '../page-context.ts'
import { textValue } from '../routes/form-values.ts'
import type { PageCrm, View, Visit } from '../routes/visit.ts'
import { countryPage, SETUP_FIELDS, type SetupFields, setupPage } from './setup-page.ts'

const LOCAL_PATH = '/setup'
const LINK_PATH = '/setup/:token'

/** The pages that make the first workspace. The sign-in page leads here while there is none. */
export class SetupRoutes {
  readonly #setup: PageCrm['setup']
  /** Never true again once a workspace exists. */
  #isNeeded = true

  constructor({ setup }: PageCrm) {
    this.#setup = setup
  }

  /** Returns whether there is no workspace yet. */
  async isNeeded(): Promise<boolean> {
    this.#isNeeded &&= await this.#setup.isNeeded()
    return this.#isNeeded
  }

  views(): readonly View[] {
    return [LOCAL_PATH, LINK_PATH].flatMap((path): View[] => [
      { method: 'GET', path, handle: (visit) => this.#show(visit) },
      { method: 'POST', path, handle: (visit, form) => this.#run(visit, form) },
    ])
  }

  async #show(visit: Visit): Promise<Response> {
    const refusal = await this.#refuse(visit)
    if (refusal) return refusal
    const path = pathOf(visit)
    const country = textValue(visit.query, 'country')?.toUpperCase() ?? ''
    if (!COUNTRIES.includes(country))
      return visit.show(200, countryPage(visit.context(), { path, country: guessCountry(visit) }))
    const fields = { ...readFields({}), country, ...proposeSettings(country) }
    return visit.show(200, setupPage(visit.context(), { path, fields }))
  }

  async #run(visit: Visit, form: Parameters): Promise<Response> {
    const refusal = await this.#refuse(visit)
    if (refusal) return refusal
    const fields = readFields(form)
    const render = (formErrors: FormErrors) =>
      setupPage(visit.context(), { path: pathOf(visit), fields, formErrors })
    try {
      const slug = fields.slug.trim() === '' ? makeSlug(fields.name) : fields.slug
      const owner_password = textValue(form, 'owner_password') ?? ''
      const input = { ...fields, slug, owner_password } as SetupInput
      const made = await this.#setup.run(visit.req.param('token'), input)
      if (!made) return this.#showOver(visit)
      const cookies = await visit.signIn(made.session)
      return visit.redirectTo(visit.startPath === '/' ? `/w/${made.slug}/welcome` : visit.startPath, cookies)
    } catch (error) {
      return visit.showFormErrors(error, render)
    }
  }

  /** Returns the page for who may not set up the service. */
  async #refuse(visit: Visit): Promise<Response | undefined> {
    if (!(await this.isNeeded())) return this.#showOver(visit)
    const token = visit.req.param('token')
    const { title, byLink } = visit.texts.setup
    if (token === undefined)
      return visit.isLocal
        ? undefined
        : visit.showMessage(forbidden('create', 'workspace'), { title, text: byLink })
    if (await this.#setup.isLinkValid(token)) return undefined
    return visit.showMessage(notFound('Link'), { title, text: `${visit.texts.setup.linkOver} ${byLink}` })
  }

  #showOver(visit: Visit): Response {
    const { doneTitle, done } = visit.texts.setup
    return visit.showMessage(notFound('Link'), { title: doneTitle, text: done, link: visit.home })
  }
}

function pathOf({ req }: Visit): string {
  const token = req.param('token')
  return token === undefined ? LOCAL_PATH : `${LOCAL_PATH}/${encodeURIComponent(token)}`
}

function readFields(form: Parameters): SetupFields {
  return Object.fromEntries(SETUP_FIELDS.map((name) => [name, textValue(form, name) ?? ''])) as SetupFields
}

/** The country of the browser's first language that names one, else the largest of the page's language. */
function guessCountry({ req, texts }: Visit): string {
  const ranges = (req.header('Accept-Language') ?? '').matchAll(
    /(?:^|,)\s*[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})\b/gi,
  )
  const countries = Array.from(ranges, ([, country]) => country!.toUpperCase())
  const fallback = texts.language === 'pt-BR' ? 'BR' : 'US'
  return countries.find((country) => COUNTRIES.includes(country)) ?? fallback
}

/** `Aurora Sistemas` becomes `aurora-sistemas`. */
function makeSlug(name: string): string {
  const words =
    name
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  return words.join('-').slice(0, 63).replace(/-$/, '') || 'crm'
}
