/** HTML with nothing left in it but formatting: no script, style, event handlers or `javascript:`. Cleaning twice is cleaning once. */
export type SanitizeHtml = (html: string) => string
