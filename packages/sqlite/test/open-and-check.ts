import { sqliteStorage } from '../src/index.ts'

const storage = await sqliteStorage({ file: process.argv[2]! })
await storage.check()
await storage.close()
