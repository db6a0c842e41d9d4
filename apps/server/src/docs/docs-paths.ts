/** Redirect URI for apps that a user authorizes from the reference. */
export const OAUTH_REDIRECT_PATH = '/docs/oauth2-redirect.html'

/** Pages about tokens, which only a service with OAuth has. */
export const OAUTH_DOCS_PATHS = ['/docs/start', OAUTH_REDIRECT_PATH] as const

export type DocsPath = '/docs' | (typeof OAUTH_DOCS_PATHS)[number]
