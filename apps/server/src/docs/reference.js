// Draws the reference. Nothing is kept in the browser: a token that is pasted is gone with the page.
const place = document.getElementById('reference')
const dark = matchMedia('(prefers-color-scheme: dark)')

/** What Swagger UI leaves without a name, a place in the order of headings, or a way in by keyboard. */
const MENDED = [
  ['#servers', 'aria-label', () => 'Server'],
  ['.examples-select-element', 'aria-label', () => 'Example'],
  [
    'tr select:not(.examples-select-element)',
    'aria-label',
    (select) => select.closest('[data-param-name]')?.dataset.paramName ?? 'Value',
  ],
  ['.body-param__text', 'aria-label', () => 'Request body'],
  ['.close-modal', 'aria-label', () => 'Close'],
  ['.auth-btn-wrapper .modal-btn', 'aria-label', (button) => button.textContent],
  ['.info .title, .modal-ux-header h3, .opblock-tag, .models > h4', 'aria-level', () => '2'],
  ['.auth-container h4, .opblock-section-header h4', 'aria-level', () => '3'],
  ['.headers__title, .responses-inner h4, .responses-inner h5', 'aria-level', () => '4'],
  ['pre.microlight', 'tabindex', () => '0'],
  ['.responses-table', 'role', () => 'table'],
]

function mend() {
  for (const [selector, name, value] of MENDED) {
    for (const element of place.querySelectorAll(selector)) element.setAttribute(name, value(element))
  }
}

function colour() {
  document.documentElement.classList.toggle('dark-mode', dark.matches)
}

/** A part of the document, with what it refers to put in its place, unless that is what it stands in. */
function resolved(part, document, within = []) {
  if (Array.isArray(part)) return part.map((each) => resolved(each, document, within))
  if (typeof part !== 'object' || part === null) return part
  const { $ref, ...rest } = part
  if (within.includes($ref)) return part
  const own = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, resolved(value, document, within)]),
  )
  if (typeof $ref !== 'string') return own
  return {
    ...resolved(at(document, $ref.split('/').slice(1)), document, [...within, $ref]),
    ...own,
    $$ref: $ref,
  }
}

function at(document, path) {
  return path.reduce((part, name) => part?.[name], document)
}

/** What may be left out is not filled in: an `Idempotency-Key` of everybody's would make one record of all that is tried. */
function forTrying(operation) {
  for (const parameter of operation?.parameters ?? []) if (!parameter.required) delete parameter.example
  return operation
}

/** A token to paste comes first, and what only the endpoints of OAuth take is not asked for beside it. */
function inOrder(definitions) {
  const types = (definition) =>
    definition.valueSeq().map((scheme) => scheme.get('scheme') ?? scheme.get('type'))
  if (!definitions?.some((definition) => types(definition).includes('bearer'))) return definitions
  return definitions
    .filter((definition) => !types(definition).includes('basic'))
    .sortBy((definition) => types(definition).includes('oauth2'))
}

/** The parts of Swagger UI in a layout with no `main` of its own, and paths that are no links within buttons. */
function parts({ React }) {
  const draw = React.createElement
  const Layout = ({ getComponent, specSelectors }) => {
    const part = (name, key = name) => draw(getComponent(name, true), { key })
    if (specSelectors.loadingStatus() === 'failed')
      return draw('p', { className: 'caution' }, 'openapi.json could not be read.')
    if (specSelectors.loadingStatus() !== 'success')
      return draw('p', { className: 'fine' }, 'Reading openapi.json …')
    const above = draw(
      'div',
      { key: 'above', className: 'scheme-container' },
      part('ServersContainer'),
      part('AuthorizeBtnContainer'),
    )
    const rest = ['FilterContainer', 'operations', 'Webhooks', 'Models'].map((name) => part(name))
    return draw('div', { className: 'swagger-ui' }, [
      part('SvgAssets'),
      part('errors'),
      part('InfoContainer'),
      above,
      ...rest,
    ])
  }
  const shownDefinitions = (given) => (state) => inOrder(given(state))
  return {
    // The way of Swagger UI, which knows documents that refer to others too, takes seconds for each operation that is opened.
    fn: {
      resolveSubtree: async (document, path) => ({
        spec: forTrying(resolved(at(document, path), document)),
        errors: [],
      }),
    },
    components: { Layout, DeepLink: ({ text }) => draw('span', null, text) },
    statePlugins: { auth: { wrapSelectors: { shownDefinitions } } },
  }
}

dark.addEventListener('change', colour)
colour()
document.getElementById('elsewhere').hidden = new URL(place.dataset.home).origin === location.origin
new MutationObserver(mend).observe(place, { childList: true, subtree: true })

globalThis
  .SwaggerUIBundle({
    domNode: place,
    url: place.dataset.document,
    oauth2RedirectUrl: new URL(place.dataset.back, location.href).href,
    plugins: [parts],
    layout: 'Layout',
    validatorUrl: null,
    deepLinking: true,
    filter: true,
    tryItOutEnabled: true,
    persistAuthorization: false,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    // Only what the caller pastes lets it in, never the session of whoever is signed in.
    requestInterceptor: (request) => Object.assign(request, { credentials: 'omit' }),
  })
  .initOAuth({ usePkceWithAuthorizationCodeGrant: true })
