/** False in the published package. */
export const IS_SOURCE = import.meta.url.endsWith('.ts')

/** How an operator starts each program: by a script of the repository, or from the published package. */
export const PROGRAMS = IS_SOURCE
  ? { demo: 'npm run demo', operate: 'npm run crm --' }
  : { demo: 'npx @sales-crm/server demo', operate: 'npx @sales-crm/server' }
