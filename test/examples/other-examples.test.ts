import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repo } from '../processes/repo.ts'
import { runtimes } from '../processes/runtimes.ts'
import { liveThrough, type ProjectServer } from '../projects/project-life.ts'

const file = (example: string) => join(repo, 'examples', example, 'server.ts')

async function checkOwnPage(origin: string): Promise<void> {
  expect(await (await fetch(origin)).text()).toContain('pages of its own')
}

const examples: Readonly<Record<string, ProjectServer>> = {
  'express-app': { command: [...runtimes.node, file('express-app')], mount: '/media', check: checkOwnPage },
  'fetch-deno': {
    command: [
      runtimes.deno[0],
      'serve',
      '--allow-all',
      '--conditions=@genmount/source',
      '--host=127.0.0.1',
      '--port=0',
      file('fetch-deno'),
    ],
    mount: '',
  },
  'fetch-bun': { command: [...runtimes.bun, file('fetch-bun')], mount: '' },
}

test.each(Object.entries(examples))(
  'the example %s makes an image that its client can fetch, answers who waits with 202 after SIGTERM, and exits with 0',
  async (_name, server) => {
    await liveThrough(server)
  },
)
