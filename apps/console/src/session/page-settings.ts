/** The path below which the service is mounted, without a slash at its end. The service writes it into the page. */
export const BASE_PATH = document.documentElement.dataset['basePath'] ?? ''

/** The origin that the service expects to be opened at. */
export const EXPECTED_ORIGIN = document.documentElement.dataset['origin'] ?? location.origin

/** The public address of the service, without a slash at its end. */
export const ISSUER = `${EXPECTED_ORIGIN}${BASE_PATH}`

export const PAGE_LANGUAGE = document.documentElement.lang

/** The policy of the page allows the inline styles with this nonce. */
export const STYLE_NONCE = document.documentElement.dataset['styleNonce'] ?? ''
