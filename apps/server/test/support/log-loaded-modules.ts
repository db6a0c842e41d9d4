import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** Loaded before a process's own modules: each module that it loads is a line of a file. */
const file = process.env['LOADED_MODULES']!
registerHooks({
  load(url, context, next) {
    appendFileSync(file, `${url}\n`)
    return next(url, context)
  },
})
