import { readFile } from 'node:fs/promises'
import { createClient } from '@sales-crm/client'
import { parse } from 'csv-parse/sync'
import { importPeople } from './import-people.js'

const { CRM_URL = 'http://127.0.0.1:3000', CRM_TOKEN } = process.env
const [file] = process.argv.slice(2)
if (!file) throw new Error('Usage: node main.js FILE.csv')

// Waits for a restart of the service for about four minutes.
const crm = createClient({ url: CRM_URL, token: CRM_TOKEN, maxRetries: 20 })
const rows = parse(await readFile(file), { bom: true, columns: true, skip_empty_lines: true })
const count = await importPeople(crm, rows, (index, fields) => {
  console.error(`Record ${index + 1}: ${JSON.stringify(fields)}`)
  process.exitCode = 1
})
console.log(`${count} of ${rows.length} people are in the CRM.`)
