import { Agent, type RequestListener, request as send } from 'node:http'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { createOpenAI } from '@ai-sdk/openai'
import { getRequestListener } from '@hono/node-server'
import { generateImage } from 'ai'
import { Hono } from 'hono'
import { freePort } from '../../../free-port.ts'
import { listen } from '../../../loopback.ts'
import { answerParent, cpuMs } from '../../answer-parent.ts'
import { peerFile } from '../../installed-peers.ts'
import { host } from '../../workload.ts'
import type { HopCalls } from './hop-calls.ts'

/** What people would put between a client and OpenAI: a proxy, a handler with an SDK, or a gateway. None stores anything. */

const [kind, vendorUrl = ''] = process.argv.slice(2)

/** Passes requests and answers on as they are. */
function proxy(): RequestListener {
  const agent = new Agent({ keepAlive: true })
  return (incoming, response) => {
    const { method, headers } = incoming
    const { host: _, ...passed } = headers
    const outgoing = send(`${vendorUrl}/v1/images/generations`, { method, headers: passed, agent })
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    incoming.pipe(outgoing)
  }
}

/** Has the AI SDK make the picture, which decodes it if it is asked to. It answers with the base64. */
function handler(): RequestListener {
  const openai = createOpenAI({ apiKey: 'sk-vendor', baseURL: `${vendorUrl}/v1` })
  const app = new Hono().post('/v1/images/generations', async (context) => {
    const { model, prompt } = await context.req.json()
    const { image } = await generateImage({ model: openai.image(model), prompt })
    return context.json({ data: [{ b64_json: image.base64 }] })
  })
  return getRequestListener(app.fetch, { overrideGlobalObjects: false })
}

/** Starts the gateway of Portkey in this process, as its program does. @returns its origin */
async function gateway(): Promise<string> {
  const port = await freePort()
  process.argv.push(`--port=${port}`, '--headless')
  // What it prints while it starts would be taken for the answers to the bench.
  const { write } = process.stdout
  process.stdout.write = () => true
  await import(pathToFileURL(peerFile('@portkey-ai/gateway', 'build/start-server.js')).href)
  process.stdout.write = write
  return `http://${host}:${port}`
}

async function originOf(handler: RequestListener): Promise<string> {
  return (await listen(handler)).origin
}

const servers = { proxy: () => originOf(proxy()), handler: () => originOf(handler()), gateway }
const origin = await servers[kind as keyof typeof servers]()
const calls: HopCalls = { url: () => origin, cpuMs, async clear() {} }
answerParent(calls)
