import { writeFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { served } from '../served.ts'
import { emptyFolder, genmount, started } from './genmount.ts'
import { startServer } from './start-server.ts'

const picture = ['generate', '-m', 'procedural-image', '-p', 'a', '-f', 'resolution=480p']

test('a failed job is exit code 6, with its reason', async () => {
  const { env } = await startServer()
  const failing = [...picture, '-f', 'simulate_error=content_policy']
  const { code, stdout, stderr } = await genmount(failing, { env, cwd: emptyFolder() })
  expect([code, stdout.length]).toEqual([6, 0])
  expect(stderr).toMatch(/Error: The job gen_\w+ has failed \(content_policy\): .*simulated/)
  const [, id = ''] = /job (gen_\w+)/.exec(stderr) ?? []
  const again = await genmount(['get', id, '-o', 'a.png', '--json'], { env, cwd: emptyFolder() })
  expect(again.code).toBe(6)
  expect(JSON.parse(again.stderr).error).toMatchObject({ code: 'content_policy', job_id: id })
})

test('a wrong key and a missing key are exit code 4, and no key is printed', async () => {
  const { env } = await startServer()
  const wrong = await genmount(['jobs'], { env: { ...env, GENMOUNT_API_KEY: 'wr0ng-key' } })
  expect([wrong.code, wrong.stderr]).toEqual([
    4,
    expect.stringContaining('does not accept the key from GENMOUNT_API_KEY'),
  ])
  expect(wrong.stderr).not.toContain('wr0ng')
  const file = join(emptyFolder(), 'key')
  writeFileSync(file, 'key-of-alice\n')
  const right = await genmount(['jobs', '--key-file', file], {
    env: { ...env, GENMOUNT_API_KEY: 'wr0ng-key' },
  })
  expect(right.code).toBe(0)
})

test.each([['--key', 's3cret'], ['--api-key=s3cret'], ['--apikey', 's3cret']])(
  'a key on the command line is refused, because others see it: %s',
  async (...args) => {
    const { code, stderr } = await genmount(['jobs', ...args])
    expect(code).toBe(2)
    expect(stderr).toMatch(/list of processes.*GENMOUNT_API_KEY.*--key-file/)
    expect(stderr).not.toContain('s3cret')
  },
)

test('an unknown model is exit code 5, with the models that there are', async () => {
  const { env } = await startServer()
  const { code, stderr } = await genmount(['generate', '-m', 'flux', '-p', 'a'], { env })
  expect(code).toBe(5)
  expect(stderr).toContain('There is no model flux. The server has: procedural-image, procedural-video.')
})

test('an unknown job is exit code 5, for each command', async () => {
  const { env } = await startServer()
  for (const name of ['get', 'cancel', 'delete']) {
    const { code, stderr } = await genmount([name, 'gen_0'], { env })
    expect([code, stderr]).toEqual([5, expect.stringContaining('There is no such job')])
  }
})

test('a server that is not there, and one that is another, are exit code 3, and say what to do', async () => {
  const { env, url, stop } = await startServer()
  await stop()
  const gone = await genmount(['models'], { env })
  expect([gone.code, gone.stderr]).toEqual([3, expect.stringContaining(`${url} can't be reached`)])
  expect(gone.stderr).toContain('genmount serve')
  const other = await served((_req, res) => void res.writeHead(200).end('<html>'))
  const wrong = await genmount(['models', '--url', other, '--json'], { env })
  expect(wrong.code).toBe(3)
  expect(JSON.parse(wrong.stderr).error.message).toContain('not as a genmount server does')
})

test('a connection that is lost in the middle of a job names the job, and how to get it', async () => {
  const { env, stop } = await startServer()
  const run = started([...picture, '-f', 'simulate_latency_ms=60000'], env, emptyFolder())
  const [, id] = await run.heard(/(gen_\w+) processing/)
  await stop()
  expect(await run.exited).toBe(3)
  expect(run.said()).toContain(`The job ${id} goes on. Get it with: genmount get ${id} --wait -o FILE`)
})

test('a server that is killed in the middle of a job and started again costs nothing but time', async () => {
  const cwd = emptyFolder()
  const around = { ALLOW_SIMULATION: '1', DATA_DIR: join(cwd, 'data') }
  const killed = started(['serve', '--port', '0'], around, cwd)
  const [, url = ''] = await killed.heard(/listens on (\S+)\n/)
  const run = started([...picture, '-f', 'simulate_latency_ms=5000', '-o', 'a.png', '--url', url], {}, cwd)
  await run.heard(/(gen_\w+) processing/)
  killed.process.kill('SIGKILL')
  await killed.exited
  const again = started(['serve', '--port', new URL(url).port], around, cwd)
  expect(await run.exited, run.said() + again.said()).toBe(0)
  expect(readFileSync(join(cwd, 'a.png')).subarray(1, 4).toString()).toBe('PNG')
})

test('Ctrl-C ends the program and not the job, and says how to get it back', async () => {
  const { env, url, file } = await startServer()
  const cwd = emptyFolder()
  const run = started([...picture, '-f', 'simulate_latency_ms=3000', '--url', url], env, cwd)
  const [, id = ''] = await run.heard(/(gen_\w+) processing/)
  run.process.kill('SIGINT')
  expect(await run.exited).toBe(130)
  expect(run.said()).toContain(`Get it with: genmount get ${id} --url ${url} --wait -o FILE`)
  expect(run.said()).toContain(`end it with: genmount cancel ${id} --url ${url}`)
  const got = await genmount(['get', id, '--url', url, '--wait', '-o', 'a.png'], { cwd, env })
  expect(got.code).toBe(0)
  expect(readFileSync(join(cwd, 'a.png')).equals(await file(id))).toBe(true)
})

test('what a server says can not control the terminal', async () => {
  const evil = await served((_req, res) => {
    res.writeHead(400, { 'content-type': 'application/json' })
    res.end(JSON.stringify({ error: { code: 'invalid_request', message: 'a\u001b]0;evil\u0007b\r\nc' } }))
  })
  const { code, stderr } = await genmount(['jobs', '--url', evil])
  expect([code, stderr]).toEqual([5, 'Error: a ]0;evil b c\n'])
})
