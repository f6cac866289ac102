import { createServer } from 'node:http'
import process from 'node:process'
import { minimalHandler } from '../imports/minimal.ts'
import { provider } from './idle-provider.ts'

createServer(minimalHandler(provider, 'key')).listen(Number(process.argv[2]), '127.0.0.1')
