import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** Preloaded with `--import`: appends the URL of each loaded module to a file. */
const file = process.env['LOADED_MODULES']!
registerHooks({
  load(url, context, next) {
    appendFileSync(file, `${url}\n`)
    return next(url, context)
  },
})
