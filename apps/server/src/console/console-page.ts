import { ICON } from '../pages/assets.ts'
import { type Html, html } from '../pages/markup.ts'
import type { PageContext } from '../pages/page-context.ts'
import type { ConsoleFiles } from './console-files.ts'

export const CONSOLE_FILES_PATH = '/assets/console'

/**
 * The document into which the console renders its pages.
 * @param styleNonce for the styles that a library of the console adds
 */
export function consolePage(
  { texts, basePath, origin, csrf }: PageContext,
  files: ConsoleFiles,
  styleNonce: string,
): Html {
  const pathOf = (file: string) => `${basePath}${CONSOLE_FILES_PATH}/${file}`
  return html`<!doctype html>
<html lang="${texts.language}" data-base-path="${basePath}" data-origin="${origin}" data-style-nonce="${styleNonce}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Sales CRM</title>
<link rel="icon" type="${ICON.type}" href="${basePath}${ICON.path}">
${files.styles.map((file) => html`<link rel="stylesheet" href="${pathOf(file)}">\n`)}
${files.imports.map((file) => html`<link rel="modulepreload" href="${pathOf(file)}">\n`)}
<script type="module" src="${pathOf(files.script)}"></script>
</head>
<body>
<div id="root"></div>
<form id="sign-out" method="post" action="${basePath}/sign-out" hidden>
<input type="hidden" name="csrf" value="${csrf}">
</form>
<noscript>${texts.console.needsScript}</noscript>
</body>
</html>
`
}
