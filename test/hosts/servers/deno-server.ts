import process from 'node:process'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { httpSuiteService } from '@genmount/testing/http'

declare const Deno: {
  serve(
    options: { hostname: string; port: number; onListen: (address: { port: number }) => void },
    handler: (request: Request) => Promise<Response>,
  ): unknown
}

const { service, options, keys } = httpSuiteService()
const mountPath = process.argv[2] || undefined
const handler = toFetchHandler(service, { ...options, mountPath, authenticate: apiKeys(keys) })
const onListen = ({ port }: { port: number }) => console.log(JSON.stringify({ port, keys }))
Deno.serve({ hostname: '127.0.0.1', port: 0, onListen }, handler)
