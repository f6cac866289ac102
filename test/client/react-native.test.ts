import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { createClient as createHere } from '@genmount/client'
import type * as client from '@genmount/client'
import { build } from 'esbuild'
import { expect, onTestFinished, test, vi } from 'vitest'
import { nodeHosts } from '../hosts/hosts.ts'

/**
 * The `AbortController` of React Native up to 0.86, the package abort-controller of 2019: it forgets the reason, and its
 * signals know neither `throwIfAborted`, `any` nor `timeout` (read on 2026-11-22 in github.com/react/react-native:
 * issues 50015 and 55247; pull request 57230 brings its successor).
 */
class OldAbortController {
  readonly signal = Object.assign(new EventTarget(), { aborted: false })

  abort(): void {
    if (this.signal.aborted) return
    this.signal.aborted = true
    this.signal.dispatchEvent(new Event('abort'))
  }
}

/**
 * The answer that the fetch of React Native gives: once its body is whole, and without `body`, since it is made of an
 * XMLHttpRequest; and wherever redirects have led, for it knows no `redirect` (read on 2026-11-22: issue 27741, which is
 * open, and Libraries/Network/fetch.js).
 */
async function wholeAnswer(url: string, { redirect: _ignored, signal, ...init }: RequestInit = {}) {
  const controller = new AbortController()
  signal?.addEventListener('abort', () => controller.abort())
  const response = await fetch(url, { ...init, signal: controller.signal })
  const blob = await response.blob()
  const { ok, status, headers } = response
  return { ok, status, headers, text: () => blob.text(), blob: () => Promise.resolve(blob) }
}

/**
 * The client in a world that has nothing beside the language but what React Native has: Libraries/Core/setUpXHR.js lists it
 * (read on 2026-11-22), and Hermes adds `btoa`. There is no crypto, no stream and no TextDecoder for streams. The language
 * is that of V8, because Hermes comes from the package registry as a compiler only. Of the client this compiler (1.0.0)
 * refuses async generators alone, which Metro rewrites with the preset of React Native before Hermes sees them.
 */
async function inReactNative(fetched: typeof wholeAnswer): Promise<typeof client> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(import.meta.resolve('@genmount/client'))],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'client',
    conditions: ['@genmount/source'],
  })
  const world = {
    fetch: fetched,
    Response: class Response extends Object {},
    AbortController: OldAbortController,
    Blob,
    btoa,
    setTimeout,
    clearTimeout,
  }
  const context = createContext(world)
  runInContext(outputFiles[0]!.text, context)
  return runInContext('client', context) as typeof client
}

test('the client creates, polls, downloads and aborts with only the globals of React Native, and opens no stream', async () => {
  const { subject, stop } = await nodeHosts[0]!.start()
  onTestFinished(stop)
  const { baseUrl, keys } = subject
  const paths: string[] = []
  const { createClient } = await inReactNative(async (url, init) => {
    const path = url.replace(/.*\/v1/, '')
    paths.push(path.replace(/gen_\w+/, '{id}'))
    // The job ends when it has been polled twice.
    const isSecondPoll =
      path.startsWith('/jobs/') && paths.filter((given) => given === '/jobs/{id}').length === 2
    if (isSecondPoll) await createHere({ baseUrl, apiKey: keys.alice }).cancel(path.split('/')[2]!)
    return wholeAnswer(url, init)
  })
  const native = createClient({ baseUrl, apiKey: keys.alice })
  const input = { model: 'fake-image', prompt: 'a kite' }
  const followed = native.generate({ ...input, delay_ms: 600_000, progress: 0.5 }, { onProgress() {} })
  await expect(followed).rejects.toMatchObject({ code: 'canceled', job: { status: 'failed' } })
  expect(paths).toEqual(['/generate?wait=true', '/jobs/{id}', '/jobs/{id}'])
  const job = await native.generate(input)
  expect((await (await native.download(job)).blob()).type).toBe('image/png')
  const upload = await native.upload(new Blob([Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0])]))
  expect(upload.content_type).toBe('image/png')
  const controller = new OldAbortController()
  const signal = controller.signal as unknown as AbortSignal
  paths.length = 0
  const call = native.generate({ ...input, delay_ms: 600_000 }, { signal })
  await vi.waitFor(() => expect(paths).toEqual(['/generate?wait=true']), 60_000)
  controller.abort()
  await expect(call).rejects.toMatchObject({ code: 'aborted', cause: undefined })
  await expect(native.models({ signal })).rejects.toMatchObject({ code: 'aborted' })
})
