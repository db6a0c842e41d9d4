const isSource = import.meta.url.endsWith('.ts')

/** How an operator starts each program: by a script of the repository, or from the published package. */
export const PROGRAMS = isSource
  ? { demo: 'npm run demo', operate: 'npm run crm --' }
  : { demo: 'npx @sales-crm/server demo', operate: 'npx @sales-crm/server' }
