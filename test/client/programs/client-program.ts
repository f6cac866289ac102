import process from 'node:process'
import { runClient } from '../run-client.ts'

console.log(JSON.stringify(await runClient(JSON.parse(process.argv[2] ?? ''), 16)))
process.exit()
