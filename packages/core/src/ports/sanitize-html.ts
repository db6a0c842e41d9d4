/** Removes everything but formatting: no script, style, event handlers or `javascript:`. Idempotent. */
export type SanitizeHtml = (html: string) => Promise<string>
