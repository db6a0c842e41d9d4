/** Redirect URI for apps that a user authorizes from the reference. */
export const OAUTH_REDIRECT_PATH = '/docs/oauth2-redirect.html'

export const DOCS_PATHS = ['/docs', '/docs/start', OAUTH_REDIRECT_PATH] as const

export type DocsPath = (typeof DOCS_PATHS)[number]
