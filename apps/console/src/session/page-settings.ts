/** The path below which the service is mounted, without a slash at its end. The service writes it into the page. */
export const BASE_PATH = document.documentElement.dataset['basePath'] ?? ''

export const PAGE_LANGUAGE = document.documentElement.lang

/** The policy of the page allows the inline styles with this nonce. */
export const STYLE_NONCE = document.documentElement.dataset['styleNonce'] ?? ''
