import { writeFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { served } from '../served.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { genmount, genmountHere, startGenmount, startServe } from './genmount.ts'
import { startServer } from './start-server.ts'

const picture = ['generate', '-m', 'procedural-image', '-p', 'a', '-f', 'resolution=480p']

test('genmount generate ends with exit code 6 and the reason when its job fails', async () => {
  const { env } = await startServer()
  const failing = [...picture, '-f', 'simulate_error=content_policy']
  const { exit, stdout, stderr } = await genmountHere(failing, { env })
  expect([exit, stdout.length]).toEqual([6, 0])
  expect(stderr).toMatch(/Error: The job gen_\w+ has failed \(content_policy\): .*simulated/)
  const [, id = ''] = /job (gen_\w+)/.exec(stderr) ?? []
  const again = await genmountHere(['get', id, '-o', 'a.png', '--json'], { env })
  expect(again.exit).toBe(6)
  expect(JSON.parse(again.stderr).error).toMatchObject({ code: 'content_policy', job_id: id })
})

test('genmount ends with exit code 4 when the server refuses the API key, and never prints the key', async () => {
  const { env } = await startServer()
  const wrong = await genmountHere(['jobs'], { env: { ...env, GENMOUNT_API_KEY: 'wr0ng-key' } })
  expect([wrong.exit, wrong.stderr]).toEqual([
    4,
    expect.stringContaining('does not accept the key from GENMOUNT_API_KEY'),
  ])
  expect(wrong.stderr).not.toContain('wr0ng')
  const file = join(temporaryFolder(), 'key')
  writeFileSync(file, 'key-of-alice\n')
  const right = await genmountHere(['jobs', '--key-file', file], {
    env: { ...env, GENMOUNT_API_KEY: 'wr0ng-key' },
  })
  expect(right.exit).toBe(0)
})

test.each([['--key', 's3cret'], ['--api-key=s3cret'], ['--apikey', 's3cret']])(
  'genmount refuses an API key on the command line, where other users can see it: %s',
  async (...args) => {
    const { exit, stderr } = await genmountHere(['jobs', ...args])
    expect(exit).toBe(2)
    expect(stderr).toMatch(/list of processes.*GENMOUNT_API_KEY.*--key-file/)
    expect(stderr).not.toContain('s3cret')
  },
)

test('genmount generate ends with exit code 5 and lists the models of the server when the model is unknown', async () => {
  const { env } = await startServer()
  const { exit, stderr } = await genmountHere(['generate', '-m', 'flux', '-p', 'a'], { env })
  expect(exit).toBe(5)
  expect(stderr).toContain('There is no model flux. The server has: procedural-image, procedural-video.')
})

test('genmount get, cancel and delete end with exit code 5 when the job is unknown', async () => {
  const { env } = await startServer()
  for (const name of ['get', 'cancel', 'delete']) {
    const { exit, stderr } = await genmountHere([name, 'gen_0'], { env })
    expect([exit, stderr]).toEqual([5, expect.stringContaining('There is no such job')])
  }
})

test('genmount ends with exit code 3 and says what to do when the server is away or is not a genmount server', async () => {
  const { env, url, stop } = await startServer()
  await stop()
  const gone = await genmountHere(['models'], { env })
  expect([gone.exit, gone.stderr]).toEqual([3, expect.stringContaining(`${url} can't be reached`)])
  expect(gone.stderr).toContain('genmount serve')
  const other = await served((_req, res) => void res.writeHead(200).end('<html>'))
  const wrong = await genmountHere(['models', '--url', other, '--json'], { env })
  expect(wrong.exit).toBe(3)
  expect(JSON.parse(wrong.stderr).error.message).toContain('not as a genmount server does')
})

// `lost-connection.deep.test.ts` waits until the program gives up a connection that is lost for good.
test('genmount generate names its job and how to get it when something else answers in the middle of the job', async () => {
  const { env } = await startServer(
    {},
    (handler) => (request, response) =>
      request.url?.startsWith('/v1/jobs/')
        ? void response.writeHead(404).end('<html>')
        : handler(request, response),
  )
  const { exit, stderr } = await genmountHere([...picture, '-f', 'simulate_latency_ms=60000'], { env })
  const [, id] = /(gen_\w+) processing/.exec(stderr) ?? []
  expect(exit).toBe(3)
  expect(stderr).toContain(`The job ${id} goes on. Get it with: genmount get ${id} --wait -o FILE`)
})

test('genmount generate writes its output although the server is killed and started again in the middle of the job', async () => {
  const cwd = temporaryFolder()
  const around = { ALLOW_SIMULATION: '1', DATA_DIR: join(cwd, 'data') }
  const { server: killed, url } = await startServe(['--port', '0'], { env: around, cwd })
  const run = await startGenmount(
    [...picture, '-f', 'simulate_latency_ms=3000', '-o', 'a.png', '--url', url],
    {
      cwd,
    },
  )
  await run.heard(/(gen_\w+) processing/)
  await killed.kill()
  const again = await startGenmount(['serve', '--port', new URL(url).port], { env: around, cwd })
  expect(await run.ended, run.output + again.output).toBe(0)
  expect(readFileSync(join(cwd, 'a.png')).subarray(1, 4).toString()).toBe('PNG')
})

test('Ctrl-C ends genmount generate but not its job, and the program prints how to get or cancel the job', async () => {
  const { env, url, file } = await startServer()
  const cwd = temporaryFolder()
  const run = await startGenmount([...picture, '-f', 'simulate_latency_ms=3000', '--url', url], { env, cwd })
  const [, id = ''] = await run.heard(/(gen_\w+) processing/)
  run.child.kill('SIGINT')
  expect(await run.ended).toBe(130)
  expect(run.output).toContain(`Get it with: genmount get ${id} --url ${url} --wait -o FILE`)
  expect(run.output).toContain(`end it with: genmount cancel ${id} --url ${url}`)
  const got = await genmount(['get', id, '--url', url, '--wait', '-o', 'a.png'], { cwd, env })
  expect(got.exit).toBe(0)
  expect(readFileSync(join(cwd, 'a.png')).equals(await file(id))).toBe(true)
})

test('genmount removes control characters from the error messages of a server', async () => {
  const evil = await served((_req, res) => {
    res.writeHead(400, { 'content-type': 'application/json' })
    res.end(JSON.stringify({ error: { code: 'invalid_request', message: 'a\u001b]0;evil\u0007b\r\nc' } }))
  })
  const { exit, stderr } = await genmountHere(['jobs', '--url', evil])
  expect([exit, stderr]).toEqual([5, 'Error: a ]0;evil b c\n'])
})
