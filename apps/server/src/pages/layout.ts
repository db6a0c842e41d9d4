import { ICON, STYLESHEET } from './assets.ts'
import { type Html, html, isolateName } from './markup.ts'
import type { FormErrors, PageContext } from './page-context.ts'

interface LayoutOptions {
  readonly title: string
  readonly formErrors?: FormErrors | undefined
  /** Lists need more width than forms. */
  readonly width?: 'narrow' | 'broad' | 'wide' | 'full'
  /** Elements besides the style sheet and the icon. */
  readonly head?: Html | undefined
}

/** Renders a complete document around `body`. */
export function renderLayout(
  ctx: PageContext,
  { title, formErrors, width = 'narrow', head }: LayoutOptions,
  body: Html,
): Html {
  const { texts, basePath } = ctx
  return html`<!doctype html>
<html lang="${texts.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${formErrors ? texts.layout.errorPrefix : ''}${title} · Sales CRM</title>
<link rel="stylesheet" href="${basePath}${STYLESHEET.path}">
<link rel="icon" type="${ICON.type}" href="${basePath}${ICON.path}">
${head}
</head>
<body>
${pageHeader(ctx)}
<main id="content" tabindex="-1" class="sheet ${width}">
${body}
</main>
</body>
</html>
`
}

function pageHeader({ texts, basePath, startPath, csrf, user }: PageContext): Html {
  if (!user) return html`<header class="top"><p class="brand">${logo()}Sales CRM</p></header>`
  return html`<a class="skip" href="#content">${texts.layout.skip}</a>
<header class="top signed-in">
<a class="brand" href="${basePath}${startPath ?? '/account'}">${logo()}Sales CRM</a>
<form method="post" action="${basePath}/sign-out">
<input type="hidden" name="csrf" value="${csrf}">
<p class="who">${isolateName(user.name)}</p>
<button class="quiet">${texts.layout.signOut}</button>
</form>
</header>`
}

/** Draws three stages of a pipeline and a won deal. */
export function logo(): Html {
  return html`<svg class="mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" focusable="false">
<rect class="mark-ground" width="32" height="32" rx="9"/>
<rect class="mark-stage" x="7" y="8" width="9" height="3.5" rx="1.75"/>
<rect class="mark-stage" x="7" y="14.25" width="13" height="3.5" rx="1.75"/>
<rect class="mark-stage" x="7" y="20.5" width="9" height="3.5" rx="1.75"/>
<circle class="mark-won" cx="22" cy="22.25" r="3.25"/>
</svg>`
}
