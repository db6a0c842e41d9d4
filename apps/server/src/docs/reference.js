// Renders the reference. Stores nothing in the browser: a pasted token is lost when the page closes.
const container = document.getElementById('reference')
const dark = matchMedia('(prefers-color-scheme: dark)')

/** Attributes that Swagger UI omits: accessible names, heading levels, roles and keyboard focus. */
const MISSING_ATTRIBUTES = [
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

function addMissingAttributes() {
  for (const [selector, name, value] of MISSING_ATTRIBUTES) {
    for (const element of container.querySelectorAll(selector)) element.setAttribute(name, value(element))
  }
}

function applyColourScheme() {
  document.documentElement.classList.toggle('dark-mode', dark.matches)
}

/** Replaces references by their targets, except references to a schema that encloses them. */
function resolveReferences(part, document, enclosing = []) {
  if (Array.isArray(part)) return part.map((each) => resolveReferences(each, document, enclosing))
  if (typeof part !== 'object' || part === null) return part
  const { $ref, ...rest } = part
  if (enclosing.includes($ref)) return part
  const own = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, resolveReferences(value, document, enclosing)]),
  )
  if (typeof $ref !== 'string') return own
  return {
    ...resolveReferences(valueAt(document, $ref.split('/').slice(1)), document, [...enclosing, $ref]),
    ...own,
    $$ref: $ref,
  }
}

function valueAt(document, path) {
  return path.reduce((part, name) => part?.[name], document)
}

/** Removes examples of optional parameters: a shared `Idempotency-Key` would create only a single record. */
function withoutOptionalExamples(operation) {
  for (const parameter of operation?.parameters ?? []) if (!parameter.required) delete parameter.example
  return operation
}

/** Puts the pasted token first, and hides client credentials, which only the OAuth endpoints accept. */
function orderDefinitions(definitions) {
  const types = (definition) =>
    definition.valueSeq().map((scheme) => scheme.get('scheme') ?? scheme.get('type'))
  if (!definitions?.some((definition) => types(definition).includes('bearer'))) return definitions
  return definitions
    .filter((definition) => !types(definition).includes('basic'))
    .sortBy((definition) => types(definition).includes('oauth2'))
}

/** Plugin with a layout that has no `main` element, and with paths that are not links inside buttons. */
function layoutPlugin({ React }) {
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
  const shownDefinitions = (selector) => (state) => orderDefinitions(selector(state))
  return {
    // Swagger UI's own resolver, which also follows references across documents, takes seconds per operation.
    fn: {
      resolveSubtree: async (document, path) => ({
        spec: withoutOptionalExamples(resolveReferences(valueAt(document, path), document)),
        errors: [],
      }),
    },
    components: { Layout, DeepLink: ({ text }) => draw('span', null, text) },
    statePlugins: { auth: { wrapSelectors: { shownDefinitions } } },
  }
}

dark.addEventListener('change', applyColourScheme)
applyColourScheme()
document.getElementById('elsewhere').hidden = new URL(container.dataset.home).origin === location.origin
new MutationObserver(addMissingAttributes).observe(container, { childList: true, subtree: true })

globalThis
  .SwaggerUIBundle({
    domNode: container,
    url: container.dataset.document,
    oauth2RedirectUrl: new URL(container.dataset.back, location.href).href,
    plugins: [layoutPlugin],
    layout: 'Layout',
    validatorUrl: null,
    deepLinking: true,
    // With 150 rows or more, Swagger UI has only those in sight, which the browser's search does not find.
    docExpansion: 'none',
    filter: true,
    tryItOutEnabled: true,
    persistAuthorization: false,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    // Sends no cookies: requests are authenticated by the pasted token only, never by a session.
    requestInterceptor: (request) => Object.assign(request, { credentials: 'omit' }),
  })
  .initOAuth({ usePkceWithAuthorizationCodeGrant: true })
