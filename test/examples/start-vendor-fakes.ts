import { setTimeout as delay } from 'node:timers/promises'
import { fakeA1111 } from '../providers/a1111/fake-a1111.ts'
import { bflKey, startBfl } from '../providers/bfl/bfl-fake.ts'
import { arkFake, token as arkKey } from '../providers/ark/ark-fake.ts'
import { comfyApiFake } from '../providers/comfy-api/comfy-api-fake.ts'
import { comfyRouterFake, token as comfyKey } from '../providers/comfy-router/comfy-router-fake.ts'
import { fakeComfyui } from '../providers/comfyui/fake-comfyui.ts'
import { falKey, isFor, startFal } from '../providers/fal/fal-fake.ts'
import { klingHosts, startKling, token as klingKey } from '../providers/kling/kling-fake.ts'
import { googleFake, token as googleKey } from '../providers/google/google-fake.ts'
import { fakeLocalai } from '../providers/openai-compatible/fake-localai.ts'
import { openrouterFake, token as openrouterKey } from '../providers/openai-videos/openrouter-fake.ts'
import { token as openaiKey } from '../providers/openai/openai-words.ts'
import { openaiFake } from '../providers/openai/openai-fake.ts'
import { always, type Trouble } from '../providers/vendor-server.ts'
import { startReplicate } from '../providers/replicate/fake-replicate.ts'
import { runpodHosts, runpodKey, startRunpod } from '../providers/runpod/runpod-fake.ts'
import { runwayKey, startRunway } from '../providers/runway/runway-fake.ts'
import { token as xaiKey, xaiFake } from '../providers/xai/xai-fake.ts'

const [
  fal,
  replicate,
  openai,
  google,
  bfl,
  runway,
  ark,
  kling,
  xai,
  openrouter,
  runpod,
  comfyRouter,
  comfyApi,
  comfyui,
  a1111,
  localai,
] = await Promise.all([
  startFal(),
  startReplicate(),
  openaiFake(),
  googleFake(),
  startBfl(),
  startRunway(),
  arkFake(),
  startKling(),
  xaiFake(),
  openrouterFake(),
  startRunpod(),
  comfyRouterFake(),
  comfyApiFake({ key: comfyKey }),
  fakeComfyui({ runMs: 1 }),
  fakeA1111(true),
  fakeLocalai('http://127.0.0.1:8080'),
])
const { env } = process
const secrets = {
  REPLICATE_API_TOKEN: replicate.token,
  FAL_KEY: falKey,
  OPENAI_API_KEY: openaiKey,
  GEMINI_API_KEY: googleKey,
  BFL_API_KEY: bflKey,
  RUNWAYML_API_SECRET: runwayKey,
  ARK_API_KEY: arkKey,
  KLING_API_KEY: klingKey,
  XAI_API_KEY: xaiKey,
  OPENROUTER_API_KEY: openrouterKey,
  RUNPOD_API_KEY: runpodKey,
  COMFY_API_KEY: comfyKey,
}
const variables = { ...secrets, COMFYUI_URL: comfyui.origin }
for (const [name, value] of Object.entries(variables))
  if (env['FAKE_KEYS']?.split(',').includes(name) ?? true) env[name] ??= value
env['OPENAI_BASE_URL'] = openai.baseUrl
env['GOOGLE_GEMINI_BASE_URL'] = google.origin
console.log(`The fakes want ${Object.values(secrets).join()}`)

const falAnswers = env['FAL_ANSWERS']?.split(',') ?? []
fal.trouble(
  isFor('submit'),
  ...falAnswers.map((answer, index): Trouble => {
    const instead =
      answer === 'never'
        ? 'silence'
        : () => {
            console.log(`fal answered ${answer}`)
            return { status: Number(answer), body: '' }
          }
    return index === falAnswers.length - 1 ? always({ instead }) : { instead }
  }),
)

/** OpenAI takes its time after it has charged for a picture. */
async function slowly(
  ask: () => Promise<Response>,
  signal: AbortSignal | null | undefined,
): Promise<Response> {
  const reply = await ask()
  if (reply.ok) console.log('OpenAI has charged for a picture')
  await delay(Number(env['OPENAI_TAKES_MS'] ?? 0), undefined, signal ? { signal } : {})
  return reply
}

const loopbackFetch = globalThis.fetch
globalThis.fetch = (input, init) => {
  const { href, hostname } = new URL(input instanceof Request ? input.url : input)
  if (hostname.endsWith('replicate.delivery')) return replicate.fetch(input, init)
  if (klingHosts.includes(hostname)) return kling.fetch(input, init)
  if (runpodHosts.includes(hostname)) return runpod.fetch(input, init)
  const isFal = hostname.endsWith('fal.run') || hostname === 'api.fal.ai'
  const isKnown = hostname === '127.0.0.1' || isFal
  const address = href
    .replace('https://api.replicate.com/v1', replicate.baseUrl)
    .replace('https://api.openai.com/v1', openai.baseUrl)
    .replace('http://127.0.0.1:8080', localai.origin)
    .replace('http://127.0.0.1:7860', a1111.origin)
    .replace('https://api.bfl.ai/v1', bfl.baseUrl)
    .replace('https://api.dev.runwayml.com/v1', runway.baseUrl)
    .replace('https://ark.ap-southeast.bytepluses.com/api/v3', ark.baseUrl)
    .replace('https://api-singapore.klingai.com', kling.origin)
    .replace('https://api.x.ai/v1', xai.baseUrl)
    .replace('https://openrouter.ai/api/v1', openrouter.baseUrl)
    .replace('https://api.runpod.ai/v2', runpod.baseUrl)
    .replace('https://api.comfy.org', comfyRouter.origin)
    .replace('https://cloud.comfy.org', comfyApi.origin)
    .replace('https://generativelanguage.googleapis.com', google.origin)
  if (address === href && !isKnown) throw new Error(`Nothing here stands for ${hostname}.`)
  if (address.startsWith(`${openai.baseUrl}/images`))
    return slowly(() => loopbackFetch(address, init), init?.signal)
  // The fakes use this function too, to reach one another on the loopback.
  return isFal ? fal.fetch(input, init) : loopbackFetch(address, init)
}
