import { readFileSync } from 'node:fs'
import { uploads } from '@genmount/core/uploads'
import { createServer } from 'node:http'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { createGenerationService, type Provider } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { proceduralProvider } from '@genmount/provider-procedural'
import { listenOnFreePorts, portOf } from './listen-on-free-ports.ts'
import * as prelude from './prelude.ts'

/**
 * Runs the code blocks of READMEs that are given as files, one after the other. A server that a block starts listens on a
 * free port instead of the one that the block names. Such a server, or a fetch handler that a block exports, must answer 401
 * to a request without an API key. What a block prints must begin like the comment behind its `console.log`. The process ends
 * by itself, unless a block leaves something open. Requests to the server that `npm start` runs are answered by the embedded
 * provider.
 */
Object.assign(globalThis, prelude)

const procedural = proceduralProvider()
/** What the blocks make has the smallest size, and films take a second: no block shows how large anything is. */
const small: Provider = {
  ...procedural,
  submit: (task, call) => {
    const size = { resolution: '480p', ...('fps' in task.input && { duration: 1 }) }
    return procedural.submit({ ...task, input: { ...task.input, ...size } }, call)
  },
}
const service = createGenerationService({ providers: [small], plugins: [uploads()] })
const npmStart = createServer(toNodeHandler(service, { authenticate: apiKeys({ dev: 'dev-key' }) }))
const startPort = await portOf(npmStart.listen(0, '127.0.0.1').unref())
const { fetch: realFetch } = globalThis
globalThis.fetch = (input, init) =>
  realFetch(
    typeof input === 'string' ? input.replace('//127.0.0.1:3000', `//127.0.0.1:${startPort}`) : input,
    init,
  )

const started = listenOnFreePorts()

type Answer = (url: string) => Promise<Response>

async function checkAnswer(answer: Answer): Promise<void> {
  const answers = await Promise.all(['', '/media'].map((mount) => answer(`${mount}/v1/jobs/gen_1`)))
  const statuses = answers.map(({ status }) => status)
  if (!statuses.includes(401))
    throw new Error(`It answers ${statuses.join(' and ')} to a request without a key.`)
}

const printed: string[] = []
console.log = (...values: unknown[]) => {
  const texts = values.map((value) =>
    typeof value === 'string' ? value : inspect(value, { breakLength: Infinity }),
  )
  printed.push(texts.join(' '))
}

function checkPrinted(file: string): void {
  const lines = printed.splice(0)
  const comments = [...readFileSync(file, 'utf8').matchAll(/console\.log\(.*\) \/\/ (.*?)(?:\.\.\.)?$/gm)]
  const isAsSaid = comments.every(([, comment = ''], index) => lines[index]?.startsWith(comment))
  if (!isAsSaid || lines.length !== comments.length) throw new Error(`It prints ${inspect(lines)}.`)
}

for (const file of process.argv.slice(2)) {
  try {
    const exported: { default?: { fetch?(request: Request): Promise<Response> } } = await import(
      pathToFileURL(file).href
    )
    checkPrinted(file)
    const handler = exported.default
    if (handler?.fetch)
      await checkAnswer(async (path) => handler.fetch!(new Request(`http://127.0.0.1${path}`)))
    for (const server of started.splice(0)) {
      const port = await portOf(server)
      await checkAnswer((path) => fetch(`http://127.0.0.1:${port}${path}`)).finally(() => server.close())
    }
  } catch (fault) {
    console.error(file, fault)
    process.exitCode = 1
  }
}
