import express from 'express'
import { getRequestListener } from '@hono/node-server'
import { describe, expect, test } from 'vitest'
import { toExpressMiddleware } from '@genmount/express-middleware'
import { toFetchHandler } from '@genmount/fetch-handler'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { httpSuiteService } from '@genmount/testing/http'
import { served } from '../served.ts'

const { service, options, keys } = httpSuiteService()

interface UrlOptions {
  readonly trustProxy?: boolean
  readonly baseUrl?: string
}

/** Mounts the service under /any/prefix, each host in its own way; resolves to the origin. */
const hosts: Readonly<Record<string, (urlOptions: UrlOptions) => Promise<string>>> = {
  async 'node:http'(urlOptions) {
    return served(toNodeHandler(service, { ...allOptions(urlOptions), mountPath: '/any/prefix' }))
  },
  async Express(urlOptions) {
    return served(express().use('/any/prefix', toExpressMiddleware(service, allOptions(urlOptions))))
  },
  async fetch(urlOptions) {
    const fetch = toFetchHandler(service, { ...allOptions(urlOptions), mountPath: '/any/prefix' })
    return served(getRequestListener(fetch, { overrideGlobalObjects: false }))
  },
}

function allOptions(urlOptions: UrlOptions) {
  return { ...options, ...urlOptions, authenticate: apiKeys(keys) }
}

function create(origin: string, headers: Record<string, string>): Promise<Response> {
  return fetch(`${origin}/any/prefix/v1/generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.alice}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'fake-image', prompt: 'a kite' }),
  })
}

/** The address that a new job is said to have, without its id. */
async function addressOf(origin: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await create(origin, headers)
  const job = (await response.json()) as { id: string; urls: { get: string } }
  expect(new URL(response.headers.get('location') ?? '', origin).href).toBe(job.urls.get)
  return job.urls.get.replace(job.id, 'ID')
}

const forwarded = { 'x-forwarded-host': 'media.example.com', 'x-forwarded-proto': 'https' }

describe.each(Object.entries(hosts))('%s', (_, start) => {
  test('without options, the URL of a new job has the host that the client requested', async () => {
    const origin = await start({})
    expect(await addressOf(origin, forwarded)).toBe(`${origin}/any/prefix/v1/jobs/ID`)
  })

  test('with trustProxy, the URL of a new job has the host that X-Forwarded-Host names', async () => {
    const origin = await start({ trustProxy: true })
    expect(await addressOf(origin, forwarded)).toBe('https://media.example.com/any/prefix/v1/jobs/ID')
    const chain = {
      'x-forwarded-host': 'media.example.com, inner.example',
      'x-forwarded-proto': 'https, http',
    }
    expect(await addressOf(origin, chain)).toBe('https://media.example.com/any/prefix/v1/jobs/ID')
    expect(await addressOf(origin)).toBe(`${origin}/any/prefix/v1/jobs/ID`)
  })

  test('with trustProxy, an X-Forwarded-Host that is no host name never becomes part of a URL', async () => {
    const origin = await start({ trustProxy: true })
    for (const nonsense of ['evil.example/path?', 'javascript:alert(1)', '"><script>', 'user@evil.example']) {
      const headers = { 'x-forwarded-host': nonsense, 'x-forwarded-proto': nonsense }
      const response = await create(origin, headers)
      const text = await response.text()
      expect(text).not.toContain(nonsense)
      expect([202, 400]).toContain(response.status)
    }
  })

  test('with baseUrl, the URL of a new job begins with it, whichever host the client or a proxy names', async () => {
    const origin = await start({ baseUrl: 'https://media.example.com/api', trustProxy: true })
    const address = await addressOf(origin, { ...forwarded, 'x-forwarded-host': 'evil.example' })
    expect(address).toBe('https://media.example.com/api/v1/jobs/ID')
  })
})
