#!/usr/bin/env node
// Without arguments the service starts; `demo` starts it with example data; anything else is an operator's command.
const [command] = process.argv.slice(2)
if (command === undefined) await import('./main.ts')
else if (command === 'demo') await import('./demo.ts')
else await import('./cli/main.ts')
