import process from 'node:process'
import { serveFetch } from '../../http/servers/serve-fetch.ts'
import worker from './genmount-worker.ts'

serveFetch(worker.fetch, Number(process.argv[2]))
