import { nodePorts } from '../../src/index.ts'

console.log((await nodePorts().sanitizeHtml('<p>Ana</p>'.repeat(1000))).length)
