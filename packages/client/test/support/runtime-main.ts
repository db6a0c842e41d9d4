import { useClient } from './runtime-script.ts'

const [url = '', movedUrl = '', token = ''] = process.argv.slice(2)
console.log(JSON.stringify(await useClient(url, movedUrl, token)))
