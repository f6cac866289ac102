import { falKey, startFal } from '../providers/fal/fal-fake.ts'
import { openaiFake, token as openaiKey } from '../providers/openai/openai-fake.ts'
import { startReplicate } from '../providers/replicate/fake-replicate.ts'

/*
 * To be imported before a program: puts fakes in the place of the vendors' hosts, and their keys into its environment.
 * `FAL_ANSWERS=429` has fal answer every submit so, and with
 * `FAL_ANSWERS=never` fal accepts the connection and says nothing.
 */

const [fal, replicate, openai] = await Promise.all([startFal(), startReplicate(), openaiFake()])
Object.assign(process.env, {
  FAL_KEY: falKey,
  REPLICATE_API_TOKEN: replicate.token,
  OPENAI_API_KEY: openaiKey,
})
const falAnswers = process.env['FAL_ANSWERS']
if (falAnswers)
  fal.intercept.submit = (response) =>
    falAnswers === 'never' ? undefined : response.writeHead(Number(falAnswers)).end()

const loopbackFetch = globalThis.fetch
globalThis.fetch = (input, init) => {
  const { href, hostname } = new URL(input instanceof Request ? input.url : input)
  const isKnown = hostname === '127.0.0.1' || hostname.endsWith('fal.run')
  const address = href
    .replace('https://api.replicate.com/v1', replicate.baseUrl)
    .replace('https://api.openai.com/v1', openai.baseUrl)
  if (address === href && !isKnown) throw new Error(`Nothing here stands for ${hostname}.`)
  // The fakes themselves ask the loopback, by this same function.
  return hostname.endsWith('fal.run') ? fal.fetch(input, init) : loopbackFetch(address, init)
}
