import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { host } from '../../workload.ts'
import { announce } from './announce.ts'
import { createAnswer, createJob, jobAnswer, ownerOf, readableIds, refusal, send } from './hand-written.ts'
import { openJobs, runNewJob } from './hand-written-runs.ts'

/** A server on bare node:http. With the argument `runs` its jobs run, as those of genmount do. */

const jobsPath = '/v1/jobs/'
/** The largest request body, as with genmount. */
const maxBodyBytes = 20 * 1024 * 1024
const create = process.argv[2] === 'runs' ? runNewJob : createJob

const server = createServer((request, response) => {
  const { method, url = '/' } = request
  const owner = ownerOf(request.headers.authorization)
  if (owner === undefined) return send(response, refusal(401, 'invalid_api_key'))
  if (method === 'GET' && url.startsWith(jobsPath))
    return send(response, jobAnswer(url.slice(jobsPath.length), owner, request.headers.host))
  if (method === 'POST' && url === '/v1/video/generations')
    return readBody(request, (text) => {
      if (text === undefined)
        return send(response, refusal(413, 'request_too_large', { connection: 'close' }))
      send(response, createAnswer(parsed(text), request.headers.host, create))
    })
  send(response, refusal(404, 'route_not_found'))
})
server.listen(0, host, () => announce((server.address() as AddressInfo).port, readableIds, openJobs))

/** @param take gets `undefined` in place of a body that is too large */
function readBody(request: IncomingMessage, take: (text: string | undefined) => void): void {
  const chunks: Buffer[] = []
  let bytes = 0
  const onData = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= maxBodyBytes) return void chunks.push(chunk)
    request.off('data', onData).off('end', onEnd).resume()
    take(undefined)
  }
  const onEnd = () => take(Buffer.concat(chunks).toString())
  request.on('data', onData).on('end', onEnd)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
