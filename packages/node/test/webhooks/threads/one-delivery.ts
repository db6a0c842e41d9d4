import { threadedSender } from '../../../src/index.ts'

// Makes one delivery and exits without an explicit stop. Prints the number of threads before and after it.
const countThreads = () =>
  (process.report.getReport() as { readonly workers: readonly unknown[] }).workers.length
const sender = threadedSender({ timeoutMs: 20_000, outbound: { allowPrivate: true } })
const before = countThreads()
const keepAlive = setInterval(() => {}, 1000)
const { error } = await sender.send({ url: 'https://127.0.0.1:1/', body: '{}', signature: undefined })
clearInterval(keepAlive)
console.log(JSON.stringify([before, error, countThreads()]))
