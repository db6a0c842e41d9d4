import { createServer } from 'node:http'
import { openIndex } from './people-index.js'
import { createListener } from './receiver.js'

const { WEBHOOK_SECRET, WEBHOOK_SECRET_NEXT, INDEX_FILE = 'people.db', PORT = '8080' } = process.env

const listener = createListener({
  secrets: [WEBHOOK_SECRET, WEBHOOK_SECRET_NEXT],
  writer: openIndex(INDEX_FILE),
  reader: openIndex(INDEX_FILE),
})
createServer(listener).listen(Number(PORT), '127.0.0.1')
