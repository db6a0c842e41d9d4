import { sqliteStorage } from '../../src/index.ts'

const storage = await sqliteStorage({ file: process.argv[2]! })
console.log(await storage.read((tx) => tx.users.find([]), { workload: 'report' }))
