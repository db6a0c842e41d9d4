import { STYLESHEET } from './assets.ts'
import { type Html, html } from './markup.ts'
import type { Translations } from './translations/translations.ts'

/** For customers of a workspace, to whom this service says nothing of itself. */
export function offerOverPage(
  { language, messages: { offerOver } }: Translations,
  basePath: string,
  email: string | null,
): Html {
  const link =
    email !== null &&
    html`<p class="lead">${offerOver.writeTo(html`<a href="mailto:${email}">${email}</a>`)}</p>`
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${offerOver.title}</title>
<link rel="stylesheet" href="${basePath}${STYLESHEET.path}">
</head>
<body>
<main class="sheet">
<h1>${offerOver.title}</h1>
${link || ''}
</main>
</body>
</html>
`
}
