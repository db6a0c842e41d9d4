import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname } from 'node:path'

const { PORT = '8080' } = process.env
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript' }
const PAGE = new URL('.', import.meta.url)
/** The folder of node_modules: this one, or one above it. */
const INSTALLED = new URL(import.meta.resolve('valibot').replace(/node_modules\/valibot\/.*/, ''))

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost')
  const path = pathname === '/' ? '/index.html' : pathname
  const type = TYPES[extname(path)]
  try {
    if (!type) throw new Error(`${path} is no page and no module.`)
    // `.` and `..` in the path are resolved already.
    const file = new URL(`.${path}`, path.startsWith('/node_modules/') ? INSTALLED : PAGE)
    const content = await readFile(file)
    response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8` }).end(content)
  } catch {
    response.writeHead(404).end()
  }
})
server.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
